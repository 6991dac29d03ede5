extension WallStyle {
    /// The drawer with a phone's story, and the sheet with a form.
    static let sheets = """
        dialog{color:var(--ink);background:var(--surface);border:1px solid var(--line);padding:20px 24px 28px}
        dialog::backdrop{background:rgb(5 6 8/.5)}
        .drawer{position:fixed;inset:0 0 0 auto;margin:0;width:min(880px,100vw);max-width:100vw;height:100dvh;
        max-height:100dvh;border-width:0 0 0 1px;overflow:auto}
        .sheet{width:min(820px,96vw);max-height:92dvh;border-radius:16px;overflow:auto}
        dialog header{display:flex;gap:16px;justify-content:space-between;align-items:flex-start;margin-bottom:14px}
        dialog header h2{font-size:20px;line-height:26px;font-weight:650;color:var(--ink)}
        .close{border:0;background:transparent;font-size:24px;line-height:24px;padding:4px 10px}
        .stories{display:grid;grid-template-columns:1fr 1fr;gap:28px;margin-top:20px}
        .finding{border-left:4px solid var(--line);padding:4px 0 4px 14px;margin-bottom:14px;min-height:48px}
        .finding b{display:block;font-size:15px;line-height:21px;font-weight:600}
        .finding[data-kind=good]{border-color:var(--shown)}.finding[data-kind=bad]{border-color:var(--undecodable)}
        .finding[data-kind=waiting]{border-color:var(--behind)}
        .story{list-style:none}
        .story li{display:grid;grid-template-columns:62px 14px minmax(0,1fr);gap:6px;padding:6px 0;overflow-wrap:anywhere}
        .story time{color:var(--quiet);text-align:right;font-size:12px}
        .story i{width:9px;height:9px;border-radius:50%;margin:6px 2px;background:var(--empty)}
        .story [data-kind=good] i{background:var(--shown)}.story [data-kind=bad] i{background:var(--undecodable)}
        .story [data-kind=waiting] i{background:var(--behind)}
        .story small{display:block;color:var(--quiet);font-size:12px;line-height:17px}
        form{display:grid;gap:14px}
        form header{margin:0}
        legend{font-weight:600;margin-bottom:8px}
        .row{display:grid;grid-template-columns:1fr 1fr;gap:14px}
        .pair{display:grid;grid-template-columns:1fr 1fr;gap:14px}
        .fields{display:grid;gap:8px;align-content:start}
        label.inline{display:inline-flex;align-items:center}
        label{display:grid;align-content:start;gap:3px;color:var(--quiet);font-size:13px}
        .clock label{display:inline}
        label input,label select,label textarea{width:100%}
        label input[type=checkbox]{width:20px;height:20px;min-height:20px}
        textarea{font:13px/18px ui-monospace,SFMono-Regular,Menlo,monospace;resize:vertical}
        .problem{color:#ff9d94;min-height:20px;overflow-wrap:anywhere}
        form footer{display:flex;gap:8px}
        """

    /// Screens of tablets and phones.
    static let narrow = """
        @media(max-width:1100px){.flow{grid-template-columns:repeat(2,minmax(0,1fr));gap:20px}.step::after{display:none}
        .step{min-height:150px}}
        @media(max-width:640px){.top{flex-wrap:wrap;gap:8px 12px;padding:8px 16px}.clock{margin-left:0;width:100%}
        #hour{margin-left:auto}main{padding:14px 16px 72px;gap:16px}.flow{gap:10px}.step{padding:12px;min-height:132px}
        .backend,.fleet{grid-column:1/-1}.fact{font-size:16px;line-height:24px}
        .declared .score,.declared .title{font-size:19px;line-height:26px}
        .declared .score .points{font-size:22px;min-width:46px}
        .grid.full{gap:10px;grid-template-columns:repeat(auto-fill,minmax(100px,1fr))}
        .full .card .score{font-size:11px}
        .views{width:100%}.views button{flex:1}.stories,.row,.pair{grid-template-columns:minmax(0,1fr)}
        button,select,input{min-height:40px}.legend{flex:none;width:100%;flex-wrap:nowrap;overflow-x:auto;padding:2px;
        scrollbar-width:none}.apple label{position:absolute;clip-path:inset(50%)}
        .legend button{min-height:36px}.phone,.dot{min-height:0}
        dialog{padding:16px}.sheet{width:100vw;max-width:100vw;max-height:100dvh;border-radius:0;margin:0}}
        """
}
