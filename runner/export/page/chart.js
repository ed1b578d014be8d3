function shape(name, facts) {
  const chart = at("chart").querySelector("svg"), found = document.createElementNS(chart.namespaceURI, name);
  for (const [key, value] of Object.entries(facts)) found.setAttribute(key, value);
  return found;
}

function values() {
  const { chances, known } = review();
  if (chances.length) return { name: `Win share (${known})`, lines: chances, low: 0, high: 1, words: percent };
  const lines = data.steps.map((step) => step.line), all = lines.flat();
  return { name: data.chart, lines, low: Math.min(0, ...all), high: Math.max(1, ...all), words: String };
}

function height(chart, value) {
  return (1 - (value - chart.low) / (chart.high - chart.low)) * 100;
}

function chartLine(chart, seat) {
  const points = chart.lines.slice(0, limit() + 1).map((found, step) => `${step},${height(chart, found[seat])}`).join(" ");
  return shape("polyline", { points, class: `${seatColour(seat)} line dash-${seat % 4}` });
}

function chartMark(chart, step) {
  const grade = review().grades[step], parts = [];
  if (grade && grade.sign) {
    const share = chart.lines[Math.min(step, chart.lines.length - 1)][grade.seat];
    parts.push(shape("path", { d: `M${step},${height(chart, share)}h0`, class: `mark ${grade.grade}` }));
  }
  if (highlights(step).length) parts.push(shape("path", { d: `M${step},-4h0`, class: "mark highlight" }));
  return parts;
}

function drawChart() {
  const chart = values(), svg = at("chart").querySelector("svg");
  svg.setAttribute("viewBox", `0 -8 ${Math.max(1, last)} 116`);
  const marked = data.steps.map((_, step) => step).filter((step) => step <= limit() && isMarked(step));
  svg.replaceChildren(
    ...[0, 25, 50, 75, 100].map((y) => shape("path", { d: `M0,${y}H${Math.max(1, last)}`, class: "grid" })),
    ...data.seats.map((_, seat) => chartLine(chart, seat)),
    ...marked.flatMap((step) => chartMark(chart, step)),
    shape("path", { class: "here" }),
  );
  at("top").textContent = chart.words(chart.high);
  at("bottom").textContent = chart.words(chart.low);
  const counts = [[marked.filter(isHighlight).length, "highlight", "n, N"], [marked.filter(isFault).length, "fault", "m, M"]];
  const words = counts.filter(([count]) => count).map(([count, what, key]) => `; ${count} ${what}${count === 1 ? "" : "s"} (${key})`);
  at("chart-name").textContent = `${chart.name} over ${last} decisions${words.join("")}`;
}

function drawSeats() {
  const chart = values(), here = chart.lines[state.step] || [], { seat: turn } = data.steps[state.step];
  at("seats").replaceChildren(...data.seats.map((one, seat) => {
    const box = made("li", undefined, `${seatColour(seat)}${turn === seat ? " decides" : ""}`);
    const key = shape("svg", { viewBox: "0 0 24 8", class: "key", "aria-hidden": "true" });
    key.append(shape("path", { d: "M0,4h24", class: `line dash-${seat % 4}` }));
    box.append(key, seatName(seat), made("span", one.player === one.name ? "" : one.player, "who"));
    if (here.length) {
      const value = made("span", chart.words(here[seat]), "value"), bar = made("i", undefined, `bar ${seatColour(seat)}`);
      bar.style.setProperty("--share", (here[seat] - chart.low) / (chart.high - chart.low));
      box.append(value, bar);
    }
    return box;
  }));
}

function drawHere() {
  at("chart").querySelector(".here").setAttribute("d", `M${state.step},-8V108`);
  const { round, phase } = before(state.step);
  at("slider").value = state.step;
  at("slider").setAttribute("aria-valuetext", `decision ${state.step} of ${last}, ${data.roundWord} ${round}, ${phase}`);
  drawSeats();
}
