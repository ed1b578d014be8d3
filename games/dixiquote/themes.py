"""What situations have in common: themes, the words that give each away, and lines that evoke it."""

from __future__ import annotations

from typing import NamedTuple


class Theme(NamedTuple):
    """Something that many situations have in common: words that give it away, and lines of our own that evoke it."""

    words: str
    lines: tuple[str, ...]


THEMES: dict[str, Theme] = {
    "waiting": Theme(
        "wait patient patience linger stay remain ready prepare keep kept still long longest late again guard "
        "listen siege queue unclaimed century unfinished halfway halt frozen delay",
        (
            "Patience is a kind of weather.",
            "I stayed until staying was all I did.",
            "Ready, and ready, and ready still.",
            "Some of us wait the way trees do.",
            "To linger is to argue politely with the clock.",
            "Nobody tells those who wait that it is over.",
        ),
    ),
    "promises": Theme(
        "promise vow swore swear sworn oath word faith faithful loyal trust bargain ring wed marry husband bride "
        "agree sign treaty pact keep kept honour pledge",
        (
            "A vow outlives the mouth that made it.",
            "We swore it lightly and found it heavy.",
            "An oath is only breath until somebody needs it.",
            "Trust is a rope tied at one end.",
            "To be loyal is to be late for your own life.",
            "Whoever made that pledge was younger than I am.",
        ),
    ),
    "thresholds": Theme(
        "door gate bridge border cross threshold handle airlock knock key lock open unlocked step stair staircase "
        "wall shore edge between enter entrance ferryman land harbour sill side",
        (
            "There is always one more sill to step over.",
            "Some entrances only work in one direction.",
            "Between here and there lies a held breath.",
            "What stops us is hardly ever the lock.",
            "Every edge was once the middle of something.",
            "You cross it once, and it goes on crossing you.",
        ),
    ),
    "silence": Theme(
        "silence silent quiet hush speak spoke spoken speaker voice say word mention listen tell told whisper "
        "unsaid sound loud loudest sing song hymn horn bell drum nothing mute secret hear piano orchestra",
        (
            "What went unsaid has taken the best chair.",
            "Hush, the important part has begun.",
            "Quiet can be a way of raising your tone.",
            "They whispered it so well that it became true.",
            "The loudest part of the day was the pause.",
            "You can hear it best once it is over.",
        ),
    ),
    "inheritance": Theme(
        "inherit heir daughter son child children mother father family grandfather ancestor legacy blood "
        "descendant young youngest born cradle teach taught lesson apprentice crown coronation estate widow curse",
        (
            "We wear what our mothers could not take off.",
            "The young are handed a fuse and told it is a candle.",
            "Blood remembers what was never taught.",
            "It was mine long before I was born.",
            "Every legacy is luggage somebody else packed.",
            "My father left me everything he could not finish.",
        ),
    ),
    "names": Theme(
        "name nameless surname called answer title stranger identity somebody misspell signed initial paper "
        "telephone book verdict elected recognise known face",
        (
            "Call me what you like, I was somebody before.",
            "I have answered to worse.",
            "A stranger is a word nobody has tried yet.",
            "Identity is a coat on loan from other people.",
            "The nameless are the hardest to send away.",
            "To be recognised is half of being lost.",
        ),
    ),
    "mirrors": Theme(
        "mirror reflection reflect shadow clone backup twin double same mask portrait canvas image imitate "
        "imitation copy original likeness face actor understudy statue spy herself himself myself android self "
        "play",
        (
            "Somewhere a twin of mine is doing this properly.",
            "Every likeness leaves somebody out.",
            "We wore one mask so long that it needed shaving.",
            "Half of me is an imitation of the rest.",
            "I met myself, and we had little to say.",
            "The copy was kinder than the original.",
        ),
    ),
    "debts": Theme(
        "debt owe owed pay paid unpaid payment price bill coin money return repay borrow lend lent loan buy buyer "
        "bought sell sold cost toll bargain ledger account auction fuel forgive settle wishing fare fair",
        (
            "Everything is paid for, though rarely by the buyer.",
            "Some kindnesses cost more than they fetch.",
            "What you owe will learn your address.",
            "The bill was fair, and that was the worst of it.",
            "Luck lends, and sends someone round to collect.",
            "All accounts are settled in a coin nobody mints.",
        ),
    ),
    "departure": Theme(
        "leave left go goes gone going depart farewell goodbye emigrate away sail road trunk passenger missing "
        "empty resign retire move travel traveller journey voyage steamer ship boots run follow",
        (
            "Going is the easy half.",
            "Already gone, though the chair was warm.",
            "Not all who leave take themselves along.",
            "The farewell lasted longer than the friendship.",
            "Away is also a place, and people live there.",
            "Follow me, said the road, and did not look back.",
        ),
    ),
    "hollow victory": Theme(
        "win winner won victory victorious triumph prize glory applause bow medal decorate flag conqueror conquer "
        "hill battle war army race marathon elected feast hero heroic enemy beaten defeat general wrong trench "
        "side finish",
        (
            "We won, and none of us could say what.",
            "A triumph is quieter from the inside.",
            "The prize was heavier than the race.",
            "They bowed to us, and we looked over our shoulders.",
            "Glory came in its coat and would not sit down.",
            "The beaten were in bed by nine and slept well.",
        ),
    ),
    "what is kept and given": Theme(
        "give gave given gift keep kept hold held share bring brought hand offer let lose bury donate generous "
        "spare free freed take took taken present cleaned",
        (
            "What you let go of keeps your fingerprints.",
            "I gave it freely and miss it daily.",
            "The generous are always a little cold.",
            "To have held it once was nearly enough.",
            "Take it, I was only looking after it for you.",
            "Share the little; the much has relatives.",
        ),
    ),
    "power unused": Theme(
        "refuse decline stop hesitate reconsider forgive forgave resign retire truce peace treaty mercy spare "
        "strength strong strongest fist enough storm thunder sleep weapon missile poison poisoner duellist duel "
        "air executioner gardening picking apples spell pardon machine switched quarrel rain",
        (
            "The strongest thing I did that year was nothing.",
            "Mercy is a muscle, and it aches.",
            "To refuse is also a way of arriving.",
            "Thunder sounds best from the next valley.",
            "Enough, said the storm, and sat down.",
            "He spared us, and we never quite forgave him.",
        ),
    ),
    "the last one": Theme(
        "last final alone lone survive survivor outlive outlast sole single remain remainder end third disappear "
        "extinct old orphan leftover griffin unicorn",
        (
            "Survivors are mostly busy with the washing.",
            "Alone is a number, too.",
            "To outlast is not to win.",
            "Finally, it said, and there was no one to agree.",
            "Nobody warns you that it is the last time.",
            "Remainders get the window seat.",
        ),
    ),
    "endings and beginnings": Theme(
        "end begin began begun beginner start first finish seed acorn grow grown grew new born birth birthday "
        "funeral burn ash phoenix wake dawn morning close last early page bury plant frozen thaw tune switched",
        (
            "Most beginnings are dressed for a funeral.",
            "The end was the one room we had not tried.",
            "Start over, said the ashes.",
            "It finished the way seeds finish.",
            "Each morning buries something and calls it new.",
            "The first page and the last were glued together.",
        ),
    ),
    "memory": Theme(
        "memory remember forget forgot forgotten museum past once old former ago ghost dead history haunt recall "
        "recognise nostalgia funeral wreck ruin demolished older fall empty temple ancient",
        (
            "The past is very well attended.",
            "What is forgotten has merely changed its lodgings.",
            "Old rooms rearrange themselves in the dark.",
            "Nostalgia is a guest who eats everything.",
            "Once is how all the good lies begin.",
            "Ghosts are only people who are too punctual.",
        ),
    ),
    "home and return": Theme(
        "home house return back come came again turn table laid family kitchen kettle roof hearth lawn village "
        "earth bread arrive emigrate exile lamp neighbour",
        (
            "Home is where they stop asking.",
            "The way back is a different road.",
            "A place was laid for someone I used to be.",
            "I returned, and it was I who had moved.",
            "Somewhere a kettle still knows me.",
            "Every roof has its own opinion of the rain.",
        ),
    ),
    "messages": Theme(
        "letter message messenger news write written wrote handwriting card envelope signal telegram post read "
        "page book printer ink rider pardon antenna satellite language word seal sign address",
        (
            "The words arrived well before the meaning.",
            "Read it twice, it was never meant for you.",
            "Every letter is sent to who you were.",
            "News is quick; understanding walks.",
            "It was written small, so as not to be obeyed.",
            "Sealed with care and posted to the wrong life.",
        ),
    ),
    "light and dark": Theme(
        "light lit lamp candle moon star sun shine shone bright brightest dark darkness night midnight shadow "
        "shade flame match matchstick fire lantern lighthouse glow burn bleached dawn telescope",
        (
            "Even a small flame makes its own dark.",
            "What glows is not always warm.",
            "The brightest hour belongs to the moths.",
            "Shade is the one courtesy of the sun.",
            "The night had better seats.",
            "Nobody thanks a lantern at noon.",
        ),
    ),
    "time": Theme(
        "time clock hour day year century thursday week month winter summer season calendar yesterday tomorrow "
        "soon early late noon seven thirty forty afternoon dawn ago moment four wind",
        (
            "Yesterday is still on its way.",
            "An hour is as long as whoever is missing from it.",
            "Tomorrow had been here and left no note.",
            "The calendar is a most polite liar.",
            "Too soon and too late share a wall.",
            "Seasons do not read our plans.",
        ),
    ),
    "mistakes": Theme(
        "wrong mistake mistaken error misspell slip lost lose astray stray fool foolish accident map fate chance "
        "luck instead joke trick odd goatherd sheep forget turns dog",
        (
            "Wrong is often the quickest way there.",
            "The error was beautiful, so we let it stand.",
            "We were lost in exactly the right place.",
            "Fate is a slip of the pen.",
            "By accident, which is a kind of design.",
            "The map was right; it was the world that strayed.",
        ),
    ),
    "the mighty and the small": Theme(
        "king queen prince emperor empire crown throne palace castle mayor general regent judge conqueror goddess "
        "giant god wizard witch oracle rule ruler great greatness mighty command majesty high boy clerk cook "
        "ploughman miller kneel statue knight ambassador cathedral tower swallow",
        (
            "Crowns are measured from the inside.",
            "Whoever rules must also sweep.",
            "Greatness has to be fed like anything else.",
            "The mighty are told on Fridays.",
            "To command is to be alone in company.",
            "Majesty is mostly posture.",
        ),
    ),
}
