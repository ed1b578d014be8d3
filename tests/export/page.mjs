// Draws tables as a match page does: reads {"elements": ..., "tables": [...]} from standard input, writes a list of HTML texts.
import { readFileSync } from "node:fs";
import vm from "node:vm";

class Node {
  constructor(tag) {
    Object.assign(this, { tag, className: "", facts: [], children: [] });
    this.style = { setProperty: (name, value) => this.facts.push([name, value]) };
  }
  set textContent(text) { this.children = [text]; }
  setAttribute(name, value) { this.facts.push([name, value]); }
  append(...parts) { this.children.push(...parts); }
  toString() {
    const facts = [...(this.className ? [["class", this.className]] : []), ...this.facts];
    return `<${this.tag}${facts.map(([name, value]) => ` ${name}="${value}"`).join("")}>${this.children.join("")}</${this.tag}>`;
  }
}

const page = { document: { createElement: (tag) => new Node(tag) }, Node, ...JSON.parse(readFileSync(0, "utf8")) };
const scripts = process.argv.slice(2).map((name) => readFileSync(name, "utf8")).join("\n");
const drawn = vm.runInNewContext(`const data = { elements };\n${scripts}\ntables.map((table) => String(element(table)))`, page);
process.stdout.write(JSON.stringify(drawn));
