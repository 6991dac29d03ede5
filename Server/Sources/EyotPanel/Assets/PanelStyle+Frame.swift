extension PanelStyle {
    /// The bar at the top, the red line, sections and pages.
    static let frame = """
        *{box-sizing:border-box}
        html{scrollbar-gutter:stable}
        body{margin:0;background:var(--bg);color:var(--ink);font:var(--text);font-variant-numeric:tabular-nums;overflow-wrap:break-word}
        a{color:var(--accent);text-underline-offset:2px}
        h1{font:var(--title);letter-spacing:-.01em;margin:0}
        h2{font:var(--head);margin:0 0 var(--s3)}
        p{margin:0 0 var(--s2)}
        code,pre{font:13px/20px ui-monospace,"SF Mono",Menlo,monospace}
        :focus-visible{outline:2px solid var(--accent);outline-offset:2px}
        .skip{position:absolute;left:-999px}.skip:focus{left:var(--s4);top:var(--s2);z-index:9;background:var(--surface);padding:var(--s2)}
        .top{display:flex;align-items:center;gap:var(--s4);height:48px;padding:0 var(--s6);border-bottom:1px solid var(--line);background:var(--surface);position:sticky;top:0;z-index:5}
        .brand{font-weight:700;color:var(--ink);text-decoration:none}
        .app{white-space:nowrap;overflow:hidden;text-overflow:ellipsis;max-width:220px}
        .env{font:var(--small);line-height:20px;font-weight:600;padding:0 var(--s2);border-radius:999px;letter-spacing:.02em}
        .env.production{background:var(--bad-bg);color:var(--bad)}.env.sandbox{background:var(--info-bg);color:var(--info)}
        .sections{display:flex;gap:var(--s1);margin-left:var(--s2)}
        .sections a,.pages a{color:var(--ink2);text-decoration:none;padding:6px 10px;border-radius:8px;white-space:nowrap}
        .sections a:hover,.pages a:hover{color:var(--ink)}
        .sections a.on,.pages a.on{color:var(--ink);background:var(--bg);font-weight:500}
        .pages{display:flex;gap:var(--s1);padding:var(--s2) var(--s6) 0;max-width:1288px;margin:0 auto;margin-bottom:calc(-1*var(--s2));overflow-x:auto}
        .pages a.on{background:var(--surface);box-shadow:inset 0 0 0 1px var(--line)}
        .find{margin-left:auto}.find input{width:220px}
        .who{color:var(--ink2);text-decoration:none;white-space:nowrap}.who:hover{color:var(--ink)}
        .menu{position:relative}.menu summary{cursor:pointer;list-style:none}.menu summary::-webkit-details-marker{display:none}
        .menu.app summary::after{content:" ▾";color:var(--ink3)}.menu.more{display:none}
        .menu.app{overflow:visible}
        .menu ul{position:absolute;top:100%;left:0;margin:var(--s1) 0 0;padding:var(--s1);list-style:none;background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);box-shadow:0 8px 24px rgb(0 0 0/.12);min-width:200px;z-index:6}
        .menu.more ul{left:auto;right:0}
        .menu li a{display:block;padding:8px 12px;border-radius:6px;color:var(--ink);text-decoration:none}.menu li a:hover{background:var(--bg)}.menu li a[aria-current]{font-weight:600}
        .alarm{display:flex;gap:var(--s3);align-items:center;padding:10px var(--s6);background:var(--bad-bg);color:var(--bad);border-bottom:1px solid var(--line)}
        .alarm p{margin:0}.alarm b{font-weight:600}.alarm .btn{margin-left:auto}
        main{max-width:1288px;margin:0 auto;padding:var(--s6);display:grid;grid-template-columns:minmax(0,1fr);gap:var(--s6)}
        main.narrow{max-width:520px}
        .notice{margin:0;padding:10px var(--s4);background:var(--good-bg);color:var(--good);border-radius:var(--radius)}
        .late main{opacity:.6}.late .top::after{content:"Connection lost – trying again";font:var(--small);color:var(--bad)}
        """
}
