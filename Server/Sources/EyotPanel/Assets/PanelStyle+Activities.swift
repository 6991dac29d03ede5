extension PanelStyle {
    /// What runs, one activity, forms that declare, and reports.
    static let activities = """
        .unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap;border:0;padding:0}
        .tonight{table-layout:fixed}.tonight th.n{width:104px}.tonight th:nth-child(4){width:136px}.tonight th:nth-child(5){width:84px}.tonight th:nth-child(6){width:108px}.tonight th.line{width:144px}.tonight th:nth-child(8){width:120px}.tonight th.do{width:104px}
        .tonight td{white-space:nowrap}.tonight td.name{white-space:normal;overflow-wrap:anywhere}.tonight .spark{margin-left:auto}.tonight td .sub{overflow:hidden;text-overflow:ellipsis;font:var(--small)}
        .cards .v small{white-space:normal}
        svg .line.good,svg .spot.good{stroke:var(--good)}svg .line.calm{stroke:var(--info)}svg .spot{fill:none;stroke-width:2}svg .spot.warn{stroke:var(--warn)}svg .spot.bad{stroke:var(--bad)}
        svg .fill.good{fill:var(--good)}svg .fill.warn{fill:var(--warn)}svg .fill.bad{fill:var(--bad)}
        .bar-line{width:100%;height:18px;border-radius:4px}
        .funnel>div{display:grid;grid-template-columns:minmax(110px,1fr) minmax(60px,2fr) minmax(64px,auto) 58px;gap:var(--s3);align-items:center;padding:5px 0}.funnel b{font-weight:500;text-align:right}.funnel .sub{font:var(--small);text-align:right}.funnel.compared>div{grid-template-columns:minmax(110px,1fr) minmax(40px,1.4fr) minmax(56px,auto) 58px minmax(56px,auto) 58px}
        table.plain{border:0;box-shadow:none;background:none}table.plain th:first-child,table.plain td:first-child{padding-left:0}table.plain th:last-child,table.plain td:last-child{padding-right:0}
        .counts{margin:0}.counts div{display:flex;justify-content:space-between;gap:var(--s4);padding:5px 0;border-bottom:1px solid var(--line)}.counts div:last-child{border:0}.counts dd{margin:0;white-space:nowrap}.counts dt{min-width:0}.counts .sub{font:var(--small)}
        .card h2:not(:first-child){margin-top:var(--s5)}
        .lock-screen{width:100%;height:auto;max-width:420px;margin:0 auto}.island{margin:var(--s3) auto 0}
        svg .card-face{fill:#17181d}svg .island-face{fill:#05060a}svg text.card-figure{fill:#fff;font:700 34px/40px var(--sans)}svg text.card-caption{fill:#d0d2d8;font:13px/18px var(--sans)}svg text.card-line{fill:#fff;font:14px/20px var(--sans)}svg text.card-app{fill:#d0d2d8;font:600 12px/16px var(--sans)}svg text.island-text{fill:#fff;font:600 13px/18px var(--sans)}
        #activity-head{display:grid;gap:var(--s4)}#activity-head .why{margin:0}.notice.info{background:var(--info-bg);color:var(--info)}.notice.bad{background:var(--bad-bg);color:var(--bad)}
        .story .change{display:block;font:var(--small);color:var(--ink2)}#activity-story{max-height:420px;overflow-y:auto}
        .field{display:grid;gap:var(--s1);align-content:start;font-weight:500}.field .error,.field .hint{font:var(--small);font-weight:400}.field.long{grid-column:1/-1}[aria-invalid]{border-color:var(--bad);outline-color:var(--bad)}
        .filters{display:flex;flex-wrap:wrap;gap:var(--s3);align-items:end}.filters label{font:var(--small);color:var(--ink2)}.filters input,.filters select{font:var(--text);color:var(--ink)}
        .steps ol{list-style:none;margin:0;padding:0;counter-reset:step}.steps li{display:flex;gap:var(--s4);align-items:center;justify-content:space-between;padding:var(--s3) 0;border-bottom:1px solid var(--line);counter-increment:step}.steps li:last-child{border:0}.steps li>span{display:grid;gap:2px;min-width:0;padding-left:36px;position:relative}.steps li>span::before{content:counter(step);position:absolute;left:0;top:0;width:24px;height:24px;border-radius:50%;background:var(--bg);border:1px solid var(--line);display:grid;place-items:center;font:var(--small)}.steps li .btn{min-width:128px;text-align:center}
        .choices{display:grid;gap:var(--s2)}.warnings{margin:0 0 var(--s3);padding-left:var(--s5);color:var(--warn)}
        details.push{border-top:1px solid var(--line);padding:var(--s3) 0}details.push summary{cursor:pointer;display:grid;grid-template-columns:1fr auto;gap:var(--s2)}details.push .bar-line{grid-column:1/-1;height:6px}details.push pre{margin-top:var(--s2);max-height:320px}
        .pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(320px,1fr));gap:var(--s4)}figure{margin:0}figcaption{font:var(--head);margin-bottom:var(--s2)}.histogram{width:100%;height:auto}
        @media(max-width:800px){.tonight th.n{width:76px}.tonight th.do{width:92px}.tonight td,.tonight th{padding-left:6px;padding-right:6px}.tonight td:first-child,.tonight th:first-child{padding-left:var(--s3)}.steps li{flex-wrap:wrap}.steps li .btn{width:100%}.pictures{grid-template-columns:minmax(0,1fr)}.funnel.compared>div{grid-template-columns:minmax(0,1fr) auto auto}.funnel.compared .bar-line,.funnel.compared span.sub{display:none}.funnel>div{grid-template-columns:minmax(100px,1fr) minmax(40px,1fr) auto}.funnel span.sub{display:none}.bar .bar.end,.bar>.end{margin-left:0}}
        @media print{.filters,.bar .end,nav{display:none!important}.pictures,.two{grid-template-columns:1fr 1fr}main{display:block}main>*{margin-bottom:16px}figure,section{break-inside:avoid}svg .rest{fill:#eee}}
        """
}
