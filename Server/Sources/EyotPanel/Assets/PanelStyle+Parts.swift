extension PanelStyle {
    /// Figures, tables, tags, buttons, forms and stories.
    static let parts = """
        .sub{color:var(--ink2)}.foot{color:var(--ink3);font:var(--small)}.lead{font-size:18px;line-height:26px;font-weight:600}
        .cards{display:grid;grid-template-columns:repeat(5,minmax(0,1fr));gap:var(--s3)}
        .card{background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);padding:14px var(--s4);box-shadow:var(--shadow);min-width:0}
        .k{color:var(--ink2);font:var(--small)}.v{font-size:24px;line-height:32px;font-weight:600;letter-spacing:-.02em;white-space:nowrap}.v small{font-size:13px;font-weight:500;color:var(--ink2);letter-spacing:0}
        .two{display:grid;grid-template-columns:minmax(0,1.15fr) minmax(0,.85fr);gap:var(--s6);align-items:start}
        .stack{display:grid;gap:var(--s4);grid-template-columns:minmax(0,1fr);align-content:start}
        .bar{display:flex;gap:var(--s3);align-items:center;flex-wrap:wrap}.bar .end{margin-left:auto}
        .scroll{position:relative;overflow-x:auto;border-radius:var(--radius)}
        table{width:100%;border-collapse:separate;border-spacing:0;background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);box-shadow:var(--shadow)}
        th{font:var(--small);font-weight:500;color:var(--ink2);text-align:right;padding:10px var(--s3);border-bottom:1px solid var(--line);white-space:nowrap}
        td{padding:10px var(--s3);text-align:right;border-bottom:1px solid var(--line);vertical-align:middle}
        th:first-child,td:first-child,th.t,td.t{text-align:left}th:first-child,td:first-child{padding-left:var(--s4)}
        tbody tr:last-child td{border-bottom:0}
        .name{font-weight:600}.name a{color:inherit;text-decoration:none}.name a:hover{text-decoration:underline}.name span{display:block;font:var(--small);color:var(--ink3)}
        .empty{padding:var(--s6);text-align:center;color:var(--ink2);border:1px dashed var(--line);border-radius:var(--radius)}
        .dot{display:inline-block;width:8px;height:8px;border-radius:50%;margin-right:var(--s2);background:var(--ink3)}.dot.good{background:var(--good)}.dot.warn{background:var(--warn)}.dot.bad{background:var(--bad)}
        .tag{font:var(--small);line-height:18px;padding:1px var(--s2);border-radius:999px;white-space:nowrap;background:var(--bg);color:var(--ink2)}
        .tag.good{background:var(--good-bg);color:var(--good)}.tag.warn{background:var(--warn-bg);color:var(--warn)}.tag.bad{background:var(--bad-bg);color:var(--bad)}.tag.info{background:var(--info-bg);color:var(--info)}
        .btn{font:inherit;line-height:20px;display:inline-block;border:1px solid var(--line);background:var(--surface);color:var(--ink);border-radius:8px;padding:5px var(--s3);cursor:pointer;text-decoration:none;white-space:nowrap}
        .btn:hover{border-color:var(--field)}.btn.primary{background:var(--accent);border-color:var(--accent);color:var(--accent-ink);font-weight:600}.btn.danger{color:var(--bad)}.btn[disabled]{opacity:.5;cursor:default}.btn[data-done]::after{content:" ✓"}
        form.inline{display:inline}
        input,select,textarea{font:inherit;color:inherit;background:var(--surface);border:1px solid var(--field);border-radius:8px;padding:5px 10px;min-width:0}
        input[type=search]{border-color:var(--line)}textarea{width:100%;min-height:120px;font:13px/20px ui-monospace,"SF Mono",Menlo,monospace}
        label{display:grid;gap:var(--s1);font-weight:500}label .sub,.hint{font:var(--small);font-weight:400;color:var(--ink2)}label.check{display:flex;gap:var(--s2);align-items:center}
        fieldset{border:0;margin:0;padding:0;display:grid;gap:var(--s4)}legend{font:var(--head);padding:0;margin-bottom:var(--s3)}
        .fields{display:grid;grid-template-columns:repeat(auto-fill,minmax(220px,1fr));gap:var(--s4)}
        .error{color:var(--bad)}.failure{border-left:4px solid var(--bad)}
        dl.facts{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:var(--s1) var(--s4);margin:0}dl.facts dt{color:var(--ink2)}dl.facts dd{margin:0}
        .why{border-left:4px solid var(--ink3);padding:var(--s4) var(--s5)}.why.good{border-color:var(--good)}.why.warn{border-color:var(--warn)}.why.bad{border-color:var(--bad)}
        .story{list-style:none;margin:0;padding:0}.story li{display:grid;grid-template-columns:104px 16px minmax(0,1fr);gap:var(--s2);padding:7px 0;color:var(--ink2)}.story li b{color:var(--ink);font-weight:500}.story time{color:var(--ink3);text-align:right}.story i{width:9px;height:9px;border-radius:50%;margin:6px 3px;background:var(--field)}.story .good i{background:var(--good)}.story .warn i{background:var(--warn)}.story .bad i{background:var(--bad)}
        pre{margin:0;padding:var(--s3);background:var(--bg);border:1px solid var(--line);border-radius:8px;overflow-x:auto}
        """

    /// Sign-in, account and members.
    static let access = """
        .entry{padding:var(--s6);display:grid;gap:var(--s4)}.entry p{margin:0}.entry .or{text-align:center}.name .tag{display:inline-block}.unseen{position:absolute;left:-999px}.fields.broad{grid-template-columns:repeat(auto-fill,minmax(min(320px,100%),1fr));align-items:end}.fields select{width:100%}.btn.wide{width:100%;text-align:center;padding:9px var(--s4)}.below{margin-top:var(--s3)}.bar.right{justify-content:flex-end}
        .made{border-left:4px solid var(--good)}.made pre{white-space:pre-wrap;word-break:break-all}
        .measures summary{list-style:none;display:inline-block}.measures summary::-webkit-details-marker{display:none}.measures>div{display:grid;gap:var(--s2);margin-top:var(--s2);min-width:220px;text-align:left}.measures .btn{width:100%;text-align:center}.measures summary.btn{width:auto}
        @media(max-width:800px){.rows thead{display:none}.rows tr{display:grid;gap:var(--s1);padding:var(--s3) 0}.rows tbody tr:not(:last-child){border-bottom:1px solid var(--line)}.rows td,.rows td:first-child{border:0;text-align:left;padding:0 var(--s4)}.rows td:empty{display:none}.bar.right{justify-content:flex-start}}
        """

    /// Pictures that the server draws.
    static let drawings = """
        svg{display:block;max-width:100%}svg .line{fill:none;stroke:var(--good);stroke-width:1.5}svg .line.warn{stroke:var(--warn)}svg .line.bad{stroke:var(--bad)}
        svg .fill{fill:var(--info)}svg .rest{fill:var(--info-bg)}svg .axis{stroke:var(--line)}svg text{fill:var(--ink2);font:var(--small)}
        """

    /// Narrow screens, and paper.
    static let narrow = """
        @media(max-width:1100px){.sections,.find,.who{display:none}.menu.more{display:block;margin-left:auto}.menu.more summary{padding:6px 10px}.cards{grid-template-columns:repeat(3,minmax(0,1fr))}}
        @media(max-width:800px){.cards{grid-template-columns:repeat(2,minmax(0,1fr))}.two{grid-template-columns:minmax(0,1fr)}main{padding:var(--s4)}.top{padding:0 var(--s4);gap:var(--s3)}.alarm{padding:10px var(--s4)}.pages{padding:var(--s2) var(--s4) 0}th.wide,td.wide{display:none}.btn{padding:9px var(--s4)}td .btn{padding:9px var(--s2)}input,select{padding:9px 12px}.story li{grid-template-columns:72px 16px minmax(0,1fr)}}
        @media print{.top,.pages,.alarm,.btn,form{display:none!important}body{background:#fff;color:#000}main{padding:0}.card,table{box-shadow:none;break-inside:avoid}}
        """
}
