/// The wall's style sheet. The wall is dark on every system, as a wall of screens is.
enum WallStyle {
    static let text = [base, flow, WallStyle.phones, WallStyle.sheets, WallStyle.narrow].joined(separator: "\n")

    private static let base = """
        :root{color-scheme:dark;--bg:#0e0f12;--surface:#16181d;--raised:#1e2128;--line:#2b2f38;--ink:#f4f4f2;
        --quiet:#b4b8c2;--accent:#4fb59a;--accent-ink:#0a1512;--shown:#4fb59a;--behind:#e0a94a;--undecodable:#ef7d74;
        --waiting:#e9e9ee;--offline:#6d7380;--dismissed:#7d828e;--off:#a58bc4;--ended:#86aef2;--empty:#4a4f5b;
        --radius:12px}
        *{box-sizing:border-box}
        [hidden]{display:none!important}
        html:has(dialog[open]){overflow:hidden}
        html{scrollbar-gutter:stable;background:var(--bg);color:var(--ink);-webkit-text-size-adjust:100%}
        body{margin:0;font:14px/20px ui-sans-serif,system-ui,-apple-system,"Segoe UI",Inter,sans-serif;
        font-variant-numeric:tabular-nums}
        h1,h2,h3,p,ol,fieldset{margin:0;padding:0;border:0}
        h1{font-size:15px;line-height:20px;font-weight:500;white-space:nowrap}
        h1 b{font-weight:700;margin-right:8px}
        h2{font-size:13px;line-height:20px;font-weight:500;color:var(--quiet)}
        h3{font-size:13px;line-height:20px;font-weight:600;margin-bottom:8px}
        .quiet{color:var(--quiet)}
        .hidden,.skip:not(:focus){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);
        white-space:nowrap}
        .skip:focus{position:fixed;z-index:9;left:12px;top:8px;padding:8px 12px;background:var(--raised);color:var(--ink)}
        button,select,input,textarea{font:inherit;color:var(--ink);background:var(--raised);border:1px solid var(--line);
        border-radius:8px;padding:5px 11px;min-height:32px}
        button{cursor:pointer;white-space:nowrap}
        button:hover:not(:disabled),select:hover{background:#282c35}
        button:disabled{opacity:.45;cursor:default}
        button.primary{background:var(--accent);border-color:var(--accent);color:var(--accent-ink);font-weight:650}
        button.primary:hover:not(:disabled){background:#62c7ac}
        button.danger{color:#ff9d94}
        button[aria-pressed=true]{border-color:var(--ink);background:#282c35}
        :focus-visible{outline:2px solid #8fb8ff;outline-offset:2px}
        bdi,.words{unicode-bidi:isolate}
        .top{display:flex;align-items:center;gap:16px;min-height:48px;padding:8px 24px;border-bottom:1px solid var(--line);
        background:var(--surface)}
        .link{color:var(--quiet)}
        .link.on::before{content:"";display:inline-block;width:8px;height:8px;border-radius:50%;margin-right:8px;
        background:var(--shown)}
        .link.off{color:var(--behind)}
        .clock{margin-left:auto;display:flex;align-items:center;gap:8px;white-space:nowrap}
        #clock{min-width:66px;font-weight:600}
        main{padding:20px 24px 64px;max-width:1760px;margin:0 auto;display:grid;grid-template-columns:minmax(0,1fr);gap:20px}
        .banner{padding:12px 16px;border-radius:var(--radius);background:#2b2313;color:#f0c577}
        .toast{position:fixed;z-index:8;left:0;right:0;bottom:20px;margin:auto;width:max-content;max-width:min(640px,92vw);
        padding:10px 16px;border-radius:10px;background:#f4f4f2;color:#16181d;box-shadow:0 8px 32px rgb(0 0 0/.5);
        visibility:hidden}
        .toast.on{visibility:visible}
        .toast.bad{background:#ffd9d5;color:#5c130d}
        .locked main{max-width:520px;padding-top:96px}
        .locked h1{font-size:22px;line-height:28px;font-weight:650}
        code{font:13px ui-monospace,SFMono-Regular,Menlo,monospace;background:var(--raised);padding:1px 5px;border-radius:4px}
        """

    private static let flow = """
        .flow{display:grid;grid-template-columns:minmax(0,1.4fr) minmax(0,.85fr) minmax(0,.95fr) minmax(0,1.3fr);gap:28px}
        .step{position:relative;display:flex;flex-direction:column;min-height:186px;padding:14px 16px;
        background:var(--surface);border:1px solid var(--line);border-radius:var(--radius)}
        .step:not(:last-child)::after{content:"";position:absolute;right:-20px;top:50%;width:9px;height:9px;
        border:solid var(--quiet);border-width:2px 2px 0 0;transform:translateY(-50%) rotate(45deg)}
        .step h2{display:flex;gap:8px;align-items:center;min-height:20px;white-space:nowrap}
        .step h2 select{min-height:24px;padding:0 6px;max-width:160px;margin:-2px 0}
        .step .actions{margin-top:auto;padding-top:10px}
        .actions{display:flex;flex-wrap:wrap;gap:8px}
        .actions select{flex:1;min-width:0}
        .fleet .actions{gap:6px}.fleet .actions button{padding:5px 8px;font-size:13px}
        .note{min-height:20px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
        .fact{font-size:18px;line-height:28px;font-weight:600;margin-top:6px;white-space:nowrap;overflow:hidden;
        text-overflow:ellipsis}
        .fleet h2 span{color:var(--ink);font-weight:600}
        .light{display:inline-block;width:10px;height:10px;border-radius:50%;margin-right:10px;background:var(--empty)}
        .light.good{background:var(--shown)}.light.warn{background:var(--behind)}.light.bad{background:var(--undecodable)}
        .declared{min-height:56px;padding-top:4px}
        .declared .score{display:flex;align-items:baseline;gap:12px;font-size:22px;line-height:30px;font-weight:650;
        letter-spacing:-.01em;min-width:0}
        .declared .score .side{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;min-width:0}
        .declared .score .points{flex:none;font-size:26px;min-width:54px;text-align:center}
        .declared .title{font-size:22px;line-height:30px;font-weight:650;overflow:hidden;text-overflow:ellipsis;
        white-space:nowrap}
        .declared .lines{display:block;color:var(--quiet);overflow:hidden;text-overflow:ellipsis;white-space:nowrap;
        min-height:20px}
        .shares{display:flex;gap:2px;height:10px;border-radius:5px;overflow:hidden;background:var(--raised);margin-top:8px}
        .shares i{display:block;flex:0 1 0;min-width:0}
        .bar{display:flex;flex-wrap:wrap;gap:12px 16px;align-items:center;margin-bottom:14px}
        .legend{display:flex;flex-wrap:wrap;gap:6px;flex:1}
        .legend button{display:flex;align-items:center;gap:8px;padding:3px 12px 3px 9px;border-radius:999px}
        .legend b{font-weight:650;min-width:1.2em;text-align:right}
        .views{display:flex}
        .views button{border-radius:0;margin-left:-1px}
        .views button:first-child{border-radius:8px 0 0 8px}.views button:last-child{border-radius:0 8px 8px 0}
        [tabindex="-1"]:focus{outline:0}
        .sign{display:inline-grid;place-items:center;width:16px;height:16px;border-radius:50%;font-size:11px;
        line-height:16px;font-weight:700;color:#0e0f12;background:var(--mark)}
        """
}
