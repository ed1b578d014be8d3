const MOVING = ".card, .situation, .token, .coins, .votes, .dot";
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const sound = { context: null };

function movingParts() {
  const found = new Map();
  for (const part of at("board").querySelectorAll(MOVING)) {
    const isNumber = part.matches(".coins, .votes, .dot"), face = part.querySelector(".face");
    const name = isNumber ? part.classList[0] : `${part.classList[0]} ${(face || part).textContent}`;
    if (!found.has(name)) found.set(name, []);
    found.get(name).push({ part, box: part.getBoundingClientRect(), words: part.outerHTML });
  }
  return found;
}

function drawBoard(table, isNext) {
  const old = isNext && !calm.matches ? movingParts() : null;
  at("board").replaceChildren(made("h2", "Table", "sr"), element(table));
  foldHands();
  at("board").style.minHeight = `${state.height = Math.max(state.height, at("board").offsetHeight)}px`;
  if (!old) return;
  const edges = old.get(`card ${EDGE}`) || [];
  for (const [name, parts] of movingParts()) {
    parts.forEach(({ part, box, words }, place) => {
      const from = (old.get(name) || [])[place], x = from ? from.box.left - box.left : 0, y = from ? from.box.top - box.top : 0;
      const turns = !from && name.startsWith("card") && (part.matches(".edge") || edges.length);
      const start = turns ? { transform: `scaleX(${part.matches(".edge") ? 1 : 0.1})` } : !from ? { opacity: 0, transform: "scale(.6)" } : Math.abs(x) + Math.abs(y) > 2 ? { transform: `translate(${x}px, ${y}px)` }
        : from.words !== words ? { transform: "scale(1.25)" } : null;
      if (start) part.animate([start, {}], { duration: Math.min(450, state.pace / 3), easing: "ease-out" });
    });
  }
}

function foldHands() {
  const hands = [...at("board").querySelectorAll("details.held")];
  if (!hands.length) return;
  const box = made("div", null, "hands");
  hands[0].before(box);
  box.append(...hands);
  for (const hand of hands) {
    hand.open = state.hands || hands.length === 1;
    hand.querySelector("summary").addEventListener("click", () => { state.hands = !hand.open; });
  }
}

function note(frequency) {
  if (!sound.context) return;
  const { context } = sound, tone = context.createOscillator(), volume = context.createGain();
  tone.frequency.value = frequency;
  volume.gain.setValueAtTime(.06, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(.001, context.currentTime + .18);
  tone.connect(volume).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + .2);
}

function nextSound() {
  if (sound.context) sound.context.close();
  sound.context = sound.context ? null : new AudioContext();
  at("sound").setAttribute("aria-pressed", String(sound.context !== null));
}
