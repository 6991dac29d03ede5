extension PanelStyle {
    /// Settings, and what asks before it acts.
    static let settings = """
        .sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
        .row{display:flex;gap:var(--s4);align-items:center;color:inherit;text-decoration:none;flex-wrap:wrap}.row .end{margin-left:auto}.row:hover{border-color:var(--field)}
        details.card>summary{cursor:pointer;font-weight:500}details.card[open]>summary{margin-bottom:var(--s4)}
        details.confirm{display:inline-block;text-align:left;vertical-align:top}details.confirm .sheet{position:absolute;right:0;top:calc(100% + 4px);z-index:6;width:min(320px,80vw);padding:var(--s4);background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);box-shadow:0 8px 24px rgb(0 0 0/.12)}
        .bar details.confirm .sheet{right:auto;left:0}
        .scroll:has(details[open]){overflow:visible}

        textarea.tall{min-height:320px}.good{color:var(--good)}
        """
}
