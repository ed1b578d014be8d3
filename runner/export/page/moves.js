const moves = { items: [], shown: -1 };

function moveWords(step) {
  if (step === 0) return ["The deal"];
  const first = seen(step).story.find(([kind]) => kind === "line" || kind === "secret");
  return first ? line(first[1]) : [seatName(data.steps[step].seat), " decides in secret"];
}

function moveMarks(step) {
  const grade = review().grades[step], parts = [];
  const found = highlights(step);
  if (found.length) {
    const mark = made("span", "◆", "mark highlight");
    mark.title = found.join("; ");
    mark.append(made("span", ` highlight: ${mark.title}`, "sr"));
    parts.push(mark);
  }
  if (grade && grade.sign) {
    const mark = made("span", grade.sign, `mark ${grade.grade}`);
    mark.append(made("span", ` ${grade.grade}`, "sr"));
    parts.push(mark);
  }
  const marks = made("span", null, "marks");
  marks.append(...parts);
  return marks;
}

function fillMove(step) {
  const item = moves.items[step];
  if (!item) return;
  const words = made("span", null, "words");
  if (step <= limit()) words.append(...moveWords(step));
  else words.append(seatName(data.steps[step].seat), ` · ${before(step).phase}`);
  item.classList.toggle("ahead", step > limit());
  item.replaceChildren(made("span", String(step), "count"), words, ...(step <= limit() ? [moveMarks(step)] : []));
}

function isListed(step) {
  const of = at("of").value, { seat } = data.steps[step];
  if (at("marked").checked && !(step <= limit() && isMarked(step))) return false;
  return of === "" || String(seat) === of;
}

function drawMoves() {
  moves.items = [];
  const rounds = [];
  let list = null, number = null;
  data.steps.forEach((step, place) => {
    if (!isListed(place)) return;
    const { round } = before(place);
    if (round !== number || !list) {
      number = round;
      const box = made("li");
      list = made("ol");
      box.append(made("h3", `${data.roundWord} ${round}`), list);
      rounds.push(box);
    }
    const item = button(null, () => go(place), step.seat === null ? "move" : `move ${seatColour(step.seat)}`), entry = made("li");
    entry.append(item);
    list.append(entry);
    moves.items[place] = item;
    fillMove(place);
  });
  at("list").replaceChildren(...rounds);
  moves.shown = state.step;
  showMove();
}

function showMove() {
  const before = moves.items[moves.shown], item = moves.items[state.step];
  if (before) before.removeAttribute("aria-current");
  moves.shown = state.step;
  if (!item) return;
  item.setAttribute("aria-current", "step");
  const box = at("list"), top = item.offsetTop;
  if (top < box.scrollTop + 40) box.scrollTop = Math.max(0, top - 40);
  if (top + item.offsetHeight > box.scrollTop + box.clientHeight - 40) box.scrollTop = top + item.offsetHeight - box.clientHeight + 40;
}
