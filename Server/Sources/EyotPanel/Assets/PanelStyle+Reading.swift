extension PanelStyle {
    /// Questions, findings, stories of events, comparisons and typed confirmations.
    static let reading = """
        .flat{margin:0}.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
        .ask{display:flex;gap:var(--s3);align-items:flex-end;flex-wrap:wrap}.ask label{display:block;flex:1 1 180px;max-width:420px}.ask label .sub{margin-left:var(--s1)}.ask input,.ask select{margin-top:var(--s1)}.ask input,.ask select{width:100%}.ask>a{padding:6px 0}
        .tabs{display:flex;gap:var(--s1);overflow:auto hidden;border-bottom:1px solid var(--line)}.tabs a{padding:8px 12px;color:var(--ink2);text-decoration:none;white-space:nowrap;border-bottom:2px solid transparent}.tabs a:hover{color:var(--ink)}.tabs a.on{color:var(--ink);border-color:var(--accent);font-weight:500}
        .plain{margin:var(--s2) 0 0;padding-left:18px}.plain li{padding:2px 0}.plain+form{margin-top:var(--s4)}
        .card.why{border-color:var(--line);border-left-color:var(--ink3)}.card.why.good{border-left-color:var(--good)}.card.why.warn{border-left-color:var(--warn)}.card.why.bad{border-left-color:var(--bad)}.why p{margin:0 0 6px}.why .lead{text-wrap:balance}.why .foot{margin:var(--s2) 0 0}.why .plain{margin:0}
        .problem{margin:0;padding:10px var(--s4);border-left:4px solid var(--bad);background:var(--bad-bg);color:var(--ink);border-radius:0 var(--radius) var(--radius) 0}.problem b{color:var(--bad)}
        .story .meta{margin:2px 0 0;color:var(--ink2)}.story .meta a{color:inherit}.story .do{color:var(--ink)}.story code{font-size:12px;color:var(--ink3)}.story .tag{display:inline-block;white-space:normal}
        .log li{border-bottom:1px solid var(--line)}.log li:last-child{border-bottom:0}
        .cards.four{grid-template-columns:repeat(4,minmax(0,1fr))}.cards.four:empty{display:none}.two.halves{grid-template-columns:repeat(2,minmax(0,1fr))}
        .figures{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:var(--s3);margin-bottom:var(--s3)}
        .item{padding:var(--s2) 0;border-top:1px solid var(--line)}h2+.item{border-top:0}.tags{margin:0 0 var(--s2)}.tags:empty{display:none}
        .bars{width:100%;height:28px}.card>.bars{height:120px;margin:var(--s2) 0}.cards .bars{height:36px;margin:var(--s2) 0 0}td .bars{width:240px}.share{width:100%;height:6px;margin:var(--s1) 0;border-radius:3px}
        .bars .fill:hover{fill:var(--accent)}
        .stack.tight{gap:var(--s2)}pre+.foot{margin:var(--s2) 0 0}details>summary{cursor:pointer}details[open]>summary{margin-bottom:var(--s3)}
        .changes{list-style:none;margin:0;padding:0}.changes li{padding:var(--s1) 0}.changes .tag{display:inline-block;min-width:64px;text-align:center}ins{text-decoration:none;color:var(--good)}del{color:var(--ink3)}
        textarea.tall{min-height:320px}mark{background:var(--info-bg);color:var(--info);border-radius:4px;padding:0 2px}.template{white-space:pre-wrap}
        .typed{font:600 13px/20px ui-monospace,"SF Mono",Menlo,monospace;overflow-wrap:anywhere}.narrowly{max-width:640px}
        .name .tag{display:inline}bdi{overflow-wrap:anywhere}dl.facts dd{overflow-wrap:anywhere}
        .fields.rows label{grid-row:span 4;grid-template-rows:subgrid}.fields.rows label>span:first-child{align-self:end}.story li.bad .tag{background:var(--bad-bg);color:var(--bad)}fieldset[disabled]{opacity:.7}[aria-invalid=true]{border-color:var(--bad)}
        """

    /// The same on narrow screens.
    static let readingNarrow = """
        @media(max-width:1100px){.cards.four{grid-template-columns:repeat(2,minmax(0,1fr))}}
        @media(max-width:800px){.two.halves{grid-template-columns:minmax(0,1fr)}.ask label{flex-basis:100%;max-width:none}.ask.pairs label{flex:1 1 calc(50% - var(--s3));min-width:0}.ask .btn{flex:1 1 100%}.tabs a{padding:12px}.story li{grid-template-columns:64px 12px minmax(0,1fr)}.story time{font:var(--small);line-height:20px}.v{font-size:20px;line-height:28px}.figures .v{white-space:normal}.end.bar{margin-left:auto}td,th{padding-left:6px;padding-right:6px}th:first-child,td:first-child{padding-left:var(--s3)}input,select,textarea{font-size:16px}}
        """
}
