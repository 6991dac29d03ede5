/// The look of the panel: one scale of type, one of space, and colour only where it means something.
enum PanelStyle {
    /// All of it, in the order in which later parts overrule earlier ones.
    static let all = [
        tokens,
        frame,
        parts,
        activities,
        access,
        settings,
        drawings,
        reading,
        narrow,
        readingNarrow,
    ]

    /// Colours for light and dark, sizes of type, and steps of space.
    static let tokens = """
        :root{color-scheme:light dark;--bg:#fbfbfa;--surface:#fff;--line:#e6e5e1;--field:#8a887f;--ink:#1b1b19;--ink2:#5e5d58;--ink3:#73716a;--accent:#1f6f5c;--accent-ink:#fff;--good:#1f7a4d;--warn:#8f5a00;--bad:#b3261e;--info:#2f5fb3;--good-bg:#e7f3ec;--warn-bg:#fbf1dd;--bad-bg:#fbe9e7;--info-bg:#e8eefb;--radius:10px;--shadow:0 1px 2px rgb(0 0 0/.04);--s1:4px;--s2:8px;--s3:12px;--s4:16px;--s5:20px;--s6:24px;--sans:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Inter,sans-serif;--text:14px/20px var(--sans);--small:12px/16px var(--sans);--head:600 15px/20px var(--sans);--title:650 22px/28px var(--sans)}
        @media(prefers-color-scheme:dark){:root{--bg:#131312;--surface:#1b1b1a;--line:#2d2d2a;--field:#77756d;--ink:#f1f0ec;--ink2:#aeaca4;--ink3:#918f87;--accent:#4fb59a;--accent-ink:#0d1a16;--good:#5dc08d;--warn:#e0a94a;--bad:#ef7d74;--info:#86aef2;--good-bg:#16281f;--warn-bg:#2b2313;--bad-bg:#2e1a18;--info-bg:#18223a;--shadow:none}}
        """
}
