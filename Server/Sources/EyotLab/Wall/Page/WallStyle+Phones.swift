extension WallStyle {
    /// The phones in three sizes.
    static let phones = """
        [data-mark=shown]{--mark:var(--shown)}[data-mark=behind]{--mark:var(--behind)}
        [data-mark=undecodable]{--mark:var(--undecodable)}[data-mark=waiting]{--mark:var(--waiting)}
        [data-mark=offline]{--mark:var(--offline)}[data-mark=dismissed]{--mark:var(--dismissed)}
        [data-mark=off]{--mark:var(--off)}
        [data-mark=ended]{--mark:var(--ended)}[data-mark=empty]{--mark:var(--empty)}
        .grid{display:grid;gap:14px;grid-template-columns:repeat(auto-fill,minmax(116px,1fr))}
        .grid.small{gap:8px;grid-template-columns:repeat(auto-fill,minmax(60px,1fr))}
        .grid.dots{gap:4px;grid-template-columns:repeat(auto-fill,minmax(16px,1fr))}
        .phone{position:relative;display:flex;flex-direction:column;width:100%;aspect-ratio:9/15;padding:7px 6px 20px;
        border:0;border-radius:16px;text-align:left;white-space:normal;overflow:hidden;color:#fff;
        background:linear-gradient(165deg,#2b3c63,#5b3f68 60%,#8a4f5b);box-shadow:inset 0 0 0 3px var(--mark)}
        .phone:hover:not(:disabled){background:linear-gradient(165deg,#34487a,#6a4a79 60%,#9c5a67)}
        .phone .island{align-self:center;display:flex;justify-content:space-between;gap:6px;min-width:42%;height:13px;
        padding:0 6px;border-radius:9px;background:#05060a;font-size:8px;line-height:13px;font-weight:650;white-space:nowrap;
        overflow:hidden}
        .phone .island.leads{min-width:66%}
        .phone .island.none{visibility:hidden}
        .phone .time{align-self:center;font-size:17px;line-height:22px;font-weight:300;margin-top:6px}
        .phone .cards{margin-top:auto;display:flex;flex-direction:column;gap:4px;min-width:0}
        .card{display:block;padding:6px 7px;border-radius:10px;background:rgb(12 14 20/.74);font-size:10px;line-height:14px;
        min-width:0;overflow:hidden}
        .card .score{white-space:nowrap;display:flex;justify-content:space-between;gap:3px;font-size:12px;line-height:16px;font-weight:700}
        .card .side{overflow:hidden;min-width:0}
        .card .title{display:block;font-weight:650;font-size:11px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
        .card .line{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;color:#d9dbe2;min-height:14px}
        .card .progress{display:block;height:3px;border-radius:2px;background:#3a3f4c;overflow:hidden;margin-top:2px}
        .card .progress i{display:block;height:100%;background:var(--accent)}
        .card[data-phase=ended]{opacity:.75}
        .card[data-phase=stale] .line{font-style:italic}
        .phone .note{display:block;padding:5px 8px;border-radius:10px;font-size:9px;line-height:12px;white-space:normal;
        max-height:46px;min-height:0;background:#f2efef;color:#1b1b19;overflow-wrap:anywhere}
        .phone[data-mark=undecodable] .note{background:#3a1512;color:#ffc5bf}
        .phone .foot{position:absolute;left:9px;right:9px;bottom:5px;display:flex;justify-content:space-between;gap:4px;
        font-size:9px;line-height:13px;white-space:nowrap}
        .phone .foot .id{flex:none}
        .phone .foot .sign{width:12px;height:12px;line-height:12px;font-size:8px;margin-right:4px;flex:none}
        .phone .foot .status{display:flex;align-items:center;min-width:0}
        .phone .foot .status .words{overflow:hidden;text-overflow:ellipsis}
        .phone[data-mark=undecodable]{box-shadow:none;border:3px dashed var(--mark);padding:4px 3px 17px}
        .phone[data-mark=undecodable] .foot{left:6px;right:6px;bottom:2px}
        .phone[data-mark=offline],.phone[data-mark=empty],.phone[data-mark=dismissed],.phone[data-mark=off]{
        background:linear-gradient(165deg,#1d2029,#25242d 60%,#2d272c)}
        .phone[data-mark=offline] .cards{filter:grayscale(1);opacity:.6}
        .small .phone{border-radius:11px;padding:5px 4px 14px;box-shadow:inset 0 0 0 2px var(--mark)}
        .small .phone[data-mark=undecodable]{padding:3px 2px 12px;border-width:2px}
        .small .phone .time,.small .phone .line,.small .phone .note,.small .phone .side,.small .phone .island span,
        .small .phone .status .words,.small .card .progress{display:none}
        .small .phone .island{height:6px;min-width:40%}
        .small .card{padding:3px 2px;border-radius:6px}
        .small .card .score{justify-content:center;font-size:12px;line-height:16px}
        .small .card .title{font-size:8px;line-height:12px;text-align:center}
        .small .phone .foot{left:6px;right:5px;bottom:3px;font-size:8px;line-height:10px}
        .small .phone .foot .sign{width:9px;height:9px;line-height:9px;font-size:7px;margin:0}
        .small .note~.card~.card,.full .note~.card~.card~.card{display:none}
        .dot{display:block;width:100%;min-height:0;aspect-ratio:1;max-width:24px;padding:0;border:0;border-radius:50%;
        background:var(--mark)}
        .dot[data-mark=undecodable]{border-radius:3px}
        .dot[data-mark=offline],.dot[data-mark=dismissed],.dot[data-mark=off],.dot[data-mark=empty]{background:transparent;
        box-shadow:inset 0 0 0 2px var(--mark)}
        #rest:empty{display:none}
        #rest{margin-top:12px}
        @media(prefers-reduced-motion:no-preference){.phone,.dot{transition:box-shadow .25s,background-color .25s}
        .shares i{transition:flex-grow .25s}.phone.fresh .cards{animation:fresh .5s}}
        @keyframes fresh{from{transform:translateY(3px)}}
        """
}
