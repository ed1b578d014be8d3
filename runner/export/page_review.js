function review() {
  return data.reviews[state.eye] || { chances: [], grades: {}, seats: [], playouts: 0 };
}

function percent(share) {
  return `${Math.round(share * 100)}\u00a0%`;
}

function seatColour(seat) {
  return data.speakers[seat][1];
}

function seatName(seat) {
  return made("b", data.speakers[seat][0], seatColour(seat));
}

function shape(name, facts) {
  const chart = at("chart").querySelector("svg"), element = document.createElementNS(chart.namespaceURI, name);
  for (const [key, value] of Object.entries(facts)) element.setAttribute(key, value);
  return element;
}

function chartLine(chances, seat) {
  const points = chances.map((shares, step) => `${step},${(1 - shares[seat]) * 100}`).join(" ");
  return shape("polyline", { points, class: `${seatColour(seat)} line dash-${seat % 4}` });
}

function chartMark(chances, number, found) {
  const step = Math.min(Number(number), chances.length - 1), y = (1 - chances[step][found.seat]) * 100;
  return shape("path", { d: `M${step},${y}h0`, class: `mark ${found.grade}` });
}

function drawChart() {
  const { chances, grades } = review(), chart = at("chart").querySelector("svg"), last = data.steps.length - 1;
  at("review").hidden = chances.length === 0;
  chart.setAttribute("viewBox", `0 0 ${Math.max(1, last)} 100`);
  const marks = chances.length ? Object.entries(grades).filter(([, found]) => found.sign) : [];
  chart.replaceChildren(
    ...[0, 25, 50, 75, 100].map((y) => shape("path", { d: `M0,${y}H${last}`, class: "grid" })),
    ...(chances[0] || []).map((_, seat) => chartLine(chances, seat)),
    ...marks.map(([number, found]) => chartMark(chances, number, found)),
    shape("path", { class: "here" }),
  );
}

function drawHere() {
  const { chances } = review(), shares = chances[state.step] || [];
  const here = at("chart").querySelector(".here");
  if (here) here.setAttribute("d", `M${state.step},0V100`);
  at("legend").replaceChildren(...shares.map((share, seat) => {
    const box = made("span", undefined, "share"), bar = made("i", undefined, `bar ${seatColour(seat)}`);
    const key = shape("svg", { viewBox: "0 0 24 8", class: "key" });
    key.append(shape("path", { d: "M0,4h24", class: `${seatColour(seat)} line dash-${seat % 4}` }));
    bar.style.setProperty("--share", share);
    box.append(key, seatName(seat), made("span", percent(share)), bar);
    return box;
  }));
}

function measure(what, share, [words, effect], className) {
  const line = made("p", undefined, "measure"), bar = made("i", undefined, `bar ${className}`), text = made("span", words);
  bar.style.setProperty("--share", share);
  if (effect) text.append(made("i", `: ${effect}`));
  line.append(made("span", what), bar, made("span", percent(share)), text);
  return line;
}

function drawGrade() {
  const found = review().grades[state.step];
  at("grade").hidden = !found;
  if (!found) return;
  const title = made("h2", undefined, found.grade), isBest = found.grade === "best";
  title.append(found.sign ? `${found.sign} ` : "", seatName(found.seat), isBest ? ": best answer found" : `: ${found.grade}, gave up ${found.loss} of the win`);
  const parts = [title, measure("played", found.share, found.played, found.grade)];
  if (!isBest) parts.push(measure("better", found.best, found.better, "best"));
  at("grade").replaceChildren(...parts, made("p", `Known: ${found.known}`, "spent"));
}

function rows(names, cells, className) {
  const table = made("table", undefined, className), head = made("tr"), body = made("tbody"), top = made("thead");
  head.append(...names.map((name) => { const cell = made("th", name); cell.scope = "col"; return cell; }));
  top.append(head);
  body.append(...cells.map((row) => {
    const line = made("tr");
    line.append(...row.map((part, place) => {
      const cell = made("td");
      cell.dataset.name = names[place];
      cell.append(part);
      return cell;
    }));
    return line;
  }));
  table.append(top, body);
  return table;
}

function jump(number) {
  const button = made("button", number);
  button.title = `go to decision ${number}`;
  button.addEventListener("click", () => { go(Number(number)); window.scrollTo(0, 0); });
  return button;
}

function drawWorst() {
  const { grades, seats, playouts } = review();
  const marked = Object.entries(grades).filter(([, found]) => found.sign).sort(([, one], [, other]) => other.lost - one.lost);
  at("worst").hidden = seats.length === 0;
  const parts = [made("h2", "Worst decisions")];
  if (!marked.length) parts.push(made("p", "No decision gave up 5 % of the win or more."));
  else parts.push(rows(["decision", "seat", "mark", "known", "played", "better", "given up"], marked.slice(0, 12).map(([number, found]) => [
    jump(number), seatName(found.seat), made("b", found.sign, found.grade), found.known,
    `${found.played[0]} (${percent(found.share)})`, `${found.better[0]} (${percent(found.best)})`, found.loss,
  ]), "faults"));
  parts.push(made("h2", "Seats"), rows(["seat", "graded", "given up a decision", "95 %", "??", "?", "?!"],
    seats.map(({ seat, facts }) => [seatName(seat), ...facts]), "seats"));
  parts.push(made("p", `Shares of the win are means over playouts by bots, ${playouts} a decision, in worlds drawn from what the seat knew. ± is one standard error.`, "spent"));
  at("worst").replaceChildren(...parts);
}

function drawReview() {
  drawChart();
  drawWorst();
}

function toMark(way) {
  const marked = Object.entries(review().grades).filter(([, found]) => found.sign).map(([number]) => Number(number));
  const found = marked.filter((number) => (number - state.step) * way > 0);
  if (found.length) go(found[way > 0 ? 0 : found.length - 1]);
}
