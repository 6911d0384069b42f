"use strict";
/* Runs before plotly is there, which only figures need.
   The page works without any of this but for its figures. Names come as data and are put in as
   text only: nothing here makes HTML of a string. */
(() => {
  const byId = (id) => document.getElementById(id);
  const data = (id) => JSON.parse(byId(id).textContent);
  const looks = data("looks");
  const FORMULA = ["=", "+", "-", "@", "\t", "\r"];
  const NUMBER = /^[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?$/;
  const FIRST_ROWS = 200;
  const FRAME_MS = 110;
  const CONFIG = { responsive: true, displaylogo: false, showTips: false,
    modeBarButtonsToRemove: ["select2d", "lasso2d", "toImage", "autoScale2d"] };

  /* The look: that of the system until somebody chooses. */
  const root = document.documentElement;
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  const theme = () => chosen || (system.matches ? "dark" : "light");
  const setTheme = (name) => {
    root.dataset.theme = name;
    byId("theme").textContent = name === "dark" ? "Light" : "Dark";
    for (const figure of figures) if (figure.drawn) figure.paint(name);
  };

  /* Tables are kept by columns; see packing.py. */
  const column = (packed) => {
    if (packed.texts) return packed.at.map((n) => packed.texts[n]);
    if (!packed.steps) return packed.cells;
    let sum = 0;
    return packed.steps.map((step) => (sum += step));
  };
  const unpack = (table) => ({ ...table, data: table.data.map(column) });

  const cellText = (value) => {
    if (value === null) return "";
    if (value === true) return "True";
    return value === false ? "False" : String(value);
  };
  /* To three places, and what is small to four digits. */
  const numberText = (value) => value.toLocaleString("en",
    Math.abs(value) < 1 ? { maximumSignificantDigits: 4 } : {});
  const csvCell = (value) => {
    let text = cellText(value);
    if (typeof value === "string" && FORMULA.includes(text[0]) && !NUMBER.test(text)) {
      text = "'" + text;
    }
    return /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  const csv = (table) => {
    const lines = [table.columns.map(csvCell).join(",")];
    for (let row = 0; row < table.rows; row++) {
      lines.push(table.data.map((cells) => csvCell(cells[row])).join(","));
    }
    return lines.join("\n") + "\n";
  };

  const save = (name, text, type) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  const fillTable = (holder, table) => {
    const made = document.createElement("table");
    const numeric = table.data.map((cells) => cells.every((c) => typeof c !== "string"));
    const line = (parent, kind, cells) => {
      const row = parent.insertRow();
      cells.forEach((value, n) => {
        const cell = document.createElement(kind);
        cell.textContent = typeof value === "number" ? numberText(value) : cellText(value);
        if (numeric[n] && table.rows) cell.className = "number";
        row.append(cell);
      });
    };
    line(made.createTHead(), "th", table.columns);
    const body = made.createTBody();
    const shown = Math.min(table.rows, FIRST_ROWS);
    for (let n = 0; n < shown; n++) line(body, "td", table.data.map((cells) => cells[n]));
    holder.replaceChildren(made);
    const more = holder.nextElementSibling;
    more.textContent = shown < table.rows
      ? `${shown} of ${table.rows.toLocaleString("en")} rows; the CSV has all.` : "";
  };

  class Figure {
    constructor(section) {
      this.section = section;
      this.name = section.id;
      this.place = section.querySelector(".figure");
      this.drawn = false;
      this.choice = 0;
      this.at = 0;
      this.timer = null;
      const on = (part, event, act) => {
        const found = section.querySelector(part);
        if (found) found.addEventListener(event, act);
        return found;
      };
      on(".csv", "click", () => save(`${this.file()}.csv`, csv(this.table()), "text/csv"));
      on(".svg", "click", () => this.saveSvg());
      on(".rows", "toggle", (event) => event.target.open && this.showTable());
      this.python = section.querySelector(".python");
      this.says = section.querySelector(".says");
      this.slider = on(".days input", "input", () => { this.stop(); this.show(); });
      this.button = on(".play", "click", () => (this.timer ? this.stop() : this.play()));
      this.select = on(".days select", "change", () => this.choose(this.select.selectedIndex));
      this.output = section.querySelector(".days output");
    }
    id(part) { return `${part}-${this.name}-${this.choice}`; }
    table() { return unpack(data(this.id("table"))); }
    file() {
      const chosen = this.select && this.choice ? "-" + this.select.value : "";
      return this.name + chosen.replace(/[^\w-]+/g, "_");
    }
    draw() {
      if (this.drawn || !window.Plotly) return;
      this.drawn = true;
      const figure = data(this.id("figure"));
      this.frames = figure.frames || [];
      figure.layout.template = looks[theme()];
      Plotly.newPlot(this.place, { data: figure.data, layout: figure.layout, config: CONFIG });
      if (this.frames.length) this.show();
    }
    paint(name) { Plotly.relayout(this.place, { template: looks[name] }); }
    showTable() { fillTable(this.section.querySelector(".scroll"), this.table()); }
    choose(n) {
      this.stop();
      const day = this.slider ? Number(this.slider.value) : 0;
      this.choice = n;
      const words = data(this.id("words"));
      this.says.textContent = words.says;
      this.python.textContent = words.python;
      this.drawn = false;
      Plotly.purge(this.place);
      this.draw();
      if (this.slider) {
        this.slider.max = this.frames.length - 1;
        this.slider.value = Math.min(day, this.frames.length - 1);
        this.show();
      }
      if (this.section.querySelector(".rows").open) this.showTable();
    }
    show() {
      this.draw();
      const frame = this.frames[Number(this.slider.value)];
      const day = `day ${Number(frame.name).toLocaleString("en")}`;
      this.output.textContent = day;
      this.slider.setAttribute("aria-valuetext", day);
      const traces = frame.traces || frame.data.map((_, n) => n);
      const changes = {};
      frame.data.forEach((trace, n) => {
        for (const [path, value] of flat(trace)) {
          changes[path] = changes[path] || traces.map(() => undefined);
          changes[path][n] = value;
        }
      });
      Plotly.restyle(this.place, changes, traces);
    }
    play() {
      if (Number(this.slider.value) >= this.frames.length - 1) this.slider.value = 0;
      this.button.textContent = "Pause";
      this.timer = setInterval(() => {
        this.slider.value = Number(this.slider.value) + 1;
        this.show();
        if (Number(this.slider.value) >= this.frames.length - 1) this.stop();
      }, FRAME_MS);
    }
    stop() {
      clearInterval(this.timer);
      this.timer = null;
      if (this.button) this.button.textContent = "Play";
    }
    saveSvg() {
      this.draw();
      Plotly.downloadImage(this.place, { format: "svg", filename: this.file(),
        width: this.place.offsetWidth, height: this.place.offsetHeight });
    }
  }

  /* Dotted paths of what a frame changes. */
  function* flat(value, path = "") {
    for (const [key, part] of Object.entries(value)) {
      const here = path ? `${path}.${key}` : key;
      if (key === "type") continue;
      const deeper = part && typeof part === "object" && !Array.isArray(part) && !("bdata" in part);
      if (deeper) yield* flat(part, here);
      else yield [here, part];
    }
  }

  const figures = [...document.querySelectorAll("section[data-figure]")].map((s) => new Figure(s));
  setTheme(theme());
  system.addEventListener("change", () => setTheme(theme()));
  byId("theme").addEventListener("click", () => {
    chosen = theme() === "dark" ? "light" : "dark";
    setTheme(chosen);
  });
  for (const button of document.querySelectorAll("button[data-file]")) {
    button.addEventListener("click", () => {
      save(button.dataset.name, byId(button.dataset.file).textContent, "text/plain");
    });
  }

  /* Each figure is drawn when it comes near, and all of them before the page is printed. */
  const near = new IntersectionObserver((seen) => {
    for (const entry of seen) {
      if (!entry.isIntersecting) continue;
      near.unobserve(entry.target);
      figures.find((figure) => figure.section === entry.target).draw();
    }
  }, { rootMargin: "300px" });
  window.addEventListener("DOMContentLoaded", () => {
    for (const figure of figures) near.observe(figure.section);
    root.dataset.ready = "yes";
  });
  window.addEventListener("beforeprint", () => {
    for (const figure of figures) figure.draw();
    setTheme("light");
  });
  window.addEventListener("afterprint", () => setTheme(theme()));
})();
