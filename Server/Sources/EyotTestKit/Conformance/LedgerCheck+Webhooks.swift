import EyotDomain

extension LedgerCheck {
    private static func hook(_ name: String, of app: AppID) throws -> Webhook {
        var hook = Webhook(
            app: app, token: "t-\(name)", name: name, url: try WebhookURL("https://\(name).example.org/in"),
            types: ["card.*", "app.paused"], secret: SealedSecret(masterKeyID: "m", box: [1, 2]),
            createdAt: ConformanceRows.now)
        hook.cursor = 7
        return hook
    }

    private static func delivery(
        _ event: Int64, _ hook: Webhook, activity: Int64? = nil, due: Int64 = 0
    ) -> WebhookDelivery {
        WebhookDelivery(
            webhook: hook.id, event: event, activity: activity.map(ActivityID.init(rawValue:)), dueAt: .after(due))
    }

    static let webhooks = [
        LedgerCheck("A webhook is kept whole, belongs to its app, and only a compare-and-set moves its cursor") {
            ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            var first = try ledger.insert(hook("a", of: one))
            let second = try ledger.insert(hook("b", of: two))
            try require(first.id.rawValue < second.id.rawValue, "ids do not rise")
            try require(ledger.webhook(first.id, of: one), is: first, "as it was stored")
            try require(ledger.webhook(first.id, of: two), is: nil, "of another app")
            try require(ledger.webhooks(of: two), is: [second], "of an app")
            try require(ledger.moveCursor(of: first.id, from: 6, to: 9), is: false, "from another place")
            try require(ledger.moveCursor(of: first.id, from: 7, to: 9), is: true, "from its place")
            first.former = .init(sealed: SealedSecret(masterKeyID: "n", box: [3]), until: .after(5))
            first.publicKey = "whpk_"
            first.disabled = .init(.gone, at: .after(6))
            try ledger.update(first)
            first.cursor = 9
            try require(ledger.webhook(first.id, of: one), is: first, "changed, with its cursor")
            let none = WebhookID(rawValue: 0)
            try require(ledger.enabledWebhooks(after: none, limit: 9), is: [second], "enabled")
            try require(ledger.enabledWebhooks(after: second.id, limit: 9), is: [], "after the last")
            try ledger.put(delivery(1, second))
            try require(ledger.removeWebhook(second.id, of: one), is: false, "by another app")
            try require(ledger.removeWebhook(second.id, of: two), is: true, "by its app")
            try require(ledger.delivery(of: 1, to: second.id), is: nil, "its delivery")
            try require(ledger.webhooks(of: two), is: [], "removed")
        },
        LedgerCheck("Due deliveries come soonest first, and an activity's in the order of its events") { ledger in
            let app = try ConformanceRows(ledger: ledger).app("one")
            let (hook, other) = (try ledger.insert(hook("a", of: app)), try ledger.insert(hook("b", of: app)))
            let all = [
                delivery(1, hook, activity: 5, due: 30), delivery(2, hook, activity: 5), delivery(3, hook, due: 20),
                delivery(4, hook, activity: 6, due: 10), delivery(5, hook),
            ]
            for one in all + [delivery(1, other)] { try ledger.put(one) }
            func due(_ moment: Int64, _ limit: Int = 9) throws -> [Int64] {
                try ledger.dueDeliveries(to: hook.id, at: .after(moment), limit: limit).map(\.event)
            }
            try require(ledger.delivery(of: 4, to: hook.id), is: all[3], "as it was stored")
            try require(due(20), is: [5, 4, 3], "without one behind an earlier one")
            try require(due(30, 2), is: [5, 4], "up to a limit")
            var dead = all[0]
            dead.claim = 3
            for answer in [WebhookAnswer.failed(.timedOut), .status(500)] {
                dead.fail(with: answer, at: .after(40), chance: 0)
                try ledger.put(dead)
                try require(ledger.delivery(of: 1, to: hook.id), is: dead, "after \(answer)")
            }
            try require(due(40), is: [5, 4, 3], "behind one that failed")
            dead.deadAt = .after(41)
            try ledger.put(dead)
            try require(due(40), is: [2, 5, 4, 3], "behind a dead letter")
        },
        LedgerCheck("Dead letters are counted apart, and the oldest go first") { ledger in
            let app = try ConformanceRows(ledger: ledger).app("one")
            let hook = try ledger.insert(hook("a", of: app))
            for event in 1...5 as ClosedRange<Int64> {
                var one = delivery(event, hook, due: 50)
                if event > 1 { one.deadAt = .after(event) }
                if event == 1 { one.attempts = 1 }
                try ledger.put(one)
            }
            func listed(_ isDead: Bool?, after event: Int64 = 0, _ limit: Int = 9) throws -> [Int64] {
                try ledger.deliveries(to: hook.id, isDead: isDead, after: event, limit: limit).map(\.event)
            }
            let counts = try ledger.deliveryCounts(of: hook.id)
            try require([counts.pending, counts.dead], is: [1, 4], "pending and dead")
            try require(listed(nil, after: 1, 2), is: [2, 3], "both, a page")
            try require(listed(false), is: [1], "pending")
            try ledger.removeDeadLetters(of: hook.id, count: 1)
            try require(listed(true), is: [3, 4, 5], "without the oldest")
            try require(ledger.removeDeadLetters(before: .after(5), limit: 1), is: 1, "up to a limit")
            try require(ledger.removeDeadLetters(before: .after(5), limit: 9), is: 1, "by age")
            try require(listed(nil), is: [1, 5], "what is left")
            try ledger.put(delivery(6, hook, due: 60))
            try ledger.wakeDeliveries(to: hook.id, at: .after(9))
            try require(
                ledger.dueDeliveries(to: hook.id, at: .after(9), limit: 9).map(\.event), is: [1],
                "woken, because it failed before")
            try ledger.removeDelivery(of: 1, to: hook.id)
            try require(listed(nil), is: [5, 6], "one removed")
        },
    ]
}
