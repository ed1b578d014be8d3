// A bot in JavaScript, without dependencies: tabletop play coup --seat 'cmd:node bot.mjs' --seat bot:steady
import { createInterface } from "node:readline";

const pick = (list) => list[Math.floor(Math.random() * list.length)];

/** A random legal answer; where text is free, any text for the field. */
function decide(ask) {
  if (ask.legal !== null) return pick(ask.legal);
  const fields = Object.entries(ask.schema.properties);
  return Object.fromEntries(fields.map(([name, field]) => [name, field.enum ? pick(field.enum) : "A quiet sea."]));
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "ask") {
    process.stdout.write(JSON.stringify({ number: message.number, answer: decide(message) }) + "\n");
  } else if (message.type === "end") {
    break;
  }
}
process.exit(0);
