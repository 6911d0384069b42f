/* What the browser does by itself: the look, links that keep the state, figures as SVG. */
(function () {
  "use strict";
  const KEY = "worldsim-theme";
  const system = window.matchMedia("(prefers-color-scheme: dark)");

  function chosen() {
    try { return localStorage.getItem(KEY); } catch (error) { return null; }
  }

  function look() {
    const theme = chosen() || (system.matches ? "dark" : "light");
    document.documentElement.dataset.theme = theme;
    document.documentElement.dataset.agThemeMode = theme;
    return theme;
  }

  function tell() {
    const theme = look();
    const button = document.getElementById("dark");
    if (button) { button.setAttribute("aria-pressed", String(theme === "dark")); }
    if (window.dash_clientside && window.dash_clientside.set_props) {
      window.dash_clientside.set_props("theme", { data: theme });
    }
  }

  look();
  system.addEventListener("change", tell);

  function saveSvg(button) {
    const graph = document.querySelector("#" + CSS.escape(button.dataset.svg) + " .js-plotly-plot");
    if (!graph || !window.Plotly) { return; }
    window.Plotly.downloadImage(graph, {
      format: "svg", filename: button.dataset.name,
      width: graph.clientWidth, height: graph.clientHeight,
    });
  }

  /* Figures with days: a slider and a button that plays. */
  const playing = new Map();

  function show(controls, at) {
    const name = controls.dataset.frames;
    const graph = document.querySelector("#" + CSS.escape(name) + " .js-plotly-plot");
    const frames = graph && graph._transitionData ? graph._transitionData._frames : [];
    if (!frames.length || !window.Plotly) { return; }
    const frame = frames[Math.min(at, frames.length - 1)];
    controls.querySelector("output").textContent = "day " + Number(frame.name).toLocaleString("en");
    window.Plotly.animate(graph, [frame.name], {
      mode: "immediate", frame: { duration: 0, redraw: true }, transition: { duration: 0 },
    });
  }

  function stop(controls) {
    clearInterval(playing.get(controls));
    playing.delete(controls);
    controls.querySelector("[data-play]").textContent = "Play";
  }

  function play(controls) {
    const slider = controls.querySelector("input");
    if (Number(slider.value) >= Number(slider.max)) { slider.value = 0; }
    controls.querySelector("[data-play]").textContent = "Pause";
    playing.set(controls, setInterval(function () {
      if (!controls.isConnected || Number(slider.value) >= Number(slider.max)) {
        stop(controls);
        return;
      }
      slider.value = Number(slider.value) + 1;
      show(controls, Number(slider.value));
    }, 120));
  }

  document.addEventListener("input", function (event) {
    const controls = event.target.closest("[data-frames]");
    if (controls) { show(controls, Number(event.target.value)); }
  });

  document.addEventListener("click", function (event) {
    const button = event.target.closest("[data-play]");
    if (button) {
      const controls = button.closest("[data-frames]");
      if (playing.has(controls)) { stop(controls); } else { play(controls); }
    }
    const toggle = event.target.closest("#dark");
    if (toggle) {
      const next = look() === "dark" ? "light" : "dark";
      try { localStorage.setItem(KEY, next); } catch (error) { /* for this page only */ }
      document.documentElement.dataset.theme = next;
      tell();
    }
    const svg = event.target.closest("[data-svg]");
    if (svg) { saveSvg(svg); }
  });

  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    live: {
      theme: function () { return look(); },
      /* The address of the log as it is filtered now; no entry in the history for each letter. */
      keep: function (wanted, seq) {
        if (!wanted) { return window.dash_clientside.no_update; }
        const search = new URLSearchParams();
        for (const [name, value] of Object.entries(wanted)) {
          if (value !== null && value !== "" && value !== false) { search.set(name, value); }
        }
        if (seq !== null && seq !== undefined) { search.set("seq", seq); }
        history.replaceState(history.state, "", location.pathname + "?" + search.toString());
        return search.toString();
      },
      /* Ask for the rows of the log again: other filters, or more events. */
      again: function (wanted, seen) {
        try {
          const api = window.dash_ag_grid.getApi("log");
          if (api) { api.purgeInfiniteCache(); }
        } catch (error) { /* the grid is not there yet, and asks by itself */ }
        return window.dash_clientside.no_update;
      },
      title: function (title) {
        document.title = title ? title + " · worldsim" : "worldsim";
        return window.dash_clientside.no_update;
      },
    },
  });
})();
