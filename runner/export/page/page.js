const data = JSON.parse(document.getElementById("data").textContent);
const last = data.steps.length - 1;
const state = { step: 0, eye: 0, furthest: 0, playing: null, open: false, blind: true, wanted: "", height: 0, hands: false, pace: 1500, beat: null };
function line(number) {
  return data.lines[number].map((piece) => typeof piece === "number" ? seatName(piece) : piece);
}

function plain(number) {
  return data.lines[number].map((piece) => typeof piece === "number" ? data.seats[piece].name : piece).join("");
}

function seen(step) {
  const [table, story, ask] = data.steps[step].seen[state.eye];
  return { table, story, ask: ask === null ? null : data.asks[ask] };
}

function beats() {
  const all = state.beat === null ? [] : (data.steps[state.step].beats || {})[state.eye] || [];
  return calm.matches ? all.filter(([, , , isMoving]) => !isMoving) : all;
}

function isMidway() {
  return state.beat + 1 < beats().length;
}

function before(step) {
  return data.steps[Math.max(0, step - 1)];
}

function limit() {
  return state.blind ? state.furthest : last;
}

function review() {
  return data.reviews[state.eye] || { chances: [], grades: {}, seats: [], playouts: 0 };
}

function highlights(step) {
  return seen(step).story.filter(([, , , kind]) => kind).map(([, number, remark, kind]) => {
    return `${kind}: ${plain(number)}${remark === null ? "" : ` (${data.texts[remark]})`}`;
  });
}

function isFault(step) {
  const grade = review().grades[step];
  return Boolean(grade && grade.sign);
}

function isHighlight(step) {
  return highlights(step).length > 0;
}

function isMarked(step) {
  return isFault(step) || isHighlight(step);
}
