import EyotCommands
import EyotContract
import EyotDomain

/// Live audiences. Backends ask for them, users join and leave them, and phones are started that the call did not find.
extension Simulation {
    /// The tag of users who join some of the audiences. The other audiences contain everyone.
    static let lateTag = "late"

    /// Whether the plan has live audiences. Some plans have none, so that they do not hide other faults.
    var hasLive: Bool { plan.troubles.contains(.live) && plan.seed % 5 < 2 }

    /// Turns a request into one with a live audience. Some have a small limit.
    func makeLive(_ request: inout DeclarationRequest) {
        let tag = random.percent(60) ? Self.lateTag : "fans"
        request.audience = .tag(tag)
        request.canary = nil
        request.live = LiveAudience.Terms(
            audience: ["tag": .string(tag)], limit: random.percent(25) ? 1 : LiveAudience.Terms.standardLimit)
    }

    /// Adds a user to the audience or removes one, as a backend.
    func changePeople() throws {
        let index = random.below(phones.count)
        let isLate = random.percent(70)
        var fields = try JSONFields(["tags": [isLate ? "add" : "remove": [.string(Self.lateTag)]]])
        let change = try UserChange("user-\(index + 1)", fields: &fields, .merge)
        try write {
            _ = try ChangeUser(ledger: ledger, app: app)(change)
            record.note("user-\(index + 1) is \(isLate ? "" : "not ")late")
        }
    }

    /// Plans a look at live audiences, as the server does repeatedly. Here it is planned only if there is something to
    /// see.
    func admitLiveLater() throws {
        guard hasLive, !node.isTellingLive else { return }
        try read {
            node.isTellingLive =
                try !ledger.changedDevices(limit: 1).isEmpty || !AdmitLiveMembers.unlooked(in: ledger).isEmpty
        }
        if node.isTellingLive { node.pending.append(.live) }
    }

    /// Looks at live audiences. The result for each audience is applied later by itself.
    func admitLive() throws {
        node.isTellingLive = false
        var looks: [AdmitLiveMembers.Look] = []
        try read {
            looks = try AdmitLiveMembers.unlooked(in: ledger).map { try AdmitLiveMembers.look($0, in: ledger, at: now) }
        }
        node.pending += looks.map(Pending.liveLook)
        try started {
            let changed = try ledger.changedDevices(limit: .max)
            if fault == .comersForgotten { for id in changed { try ledger.removeChanged(id) } }
            _ = try AdmitLiveMembers(Transaction(ledger, at: now)).lookAtChanged()
            if fault == .comersRestarted { for id in changed { try restart(id) } }
        }
    }

    func take(_ look: AdmitLiveMembers.Look) throws {
        try started { try AdmitLiveMembers(Transaction(ledger, at: now)).take(look) }
    }

    /// Performs an action that may start devices. None of them may have had a card of the generation before.
    private func started(_ body: () throws -> Void) throws {
        try write {
            let before = try placesOfRunning()
            let audiences = try ledger.liveAudiences(of: app, limit: .max)
            try body()
            for audience in try ledger.liveAudiences(of: app, limit: .max) {
                let former = audiences.first { $0.activity == audience.activity && $0.start == audience.start }
                if audience.started > max(audience.asked.limit, former?.started ?? 0) {
                    record.violate("Live: more were started than there was room for")
                }
            }
            for (activity, places) in try placesOfRunning() {
                let former = before.first { $0.activity == activity }?.places ?? []
                let pendingStarts = places.filter { place in !former.contains { $0.ordinal == place.ordinal } }
                for comer in pendingStarts {
                    record.note("device \(comer.device.rawValue) comes to \(activity.rawValue)")
                    if let activity = try ledger.activity(activity) {
                        try rememberPendingStarts(offered: comer, in: activity)
                    }
                    // These starts are known to have made no card.
                    let vain = [StartFailure.refused, .suspected, .noStartToken, .tooManyStarts].map {
                        Replica.Phase.notStarted($0)
                    }
                    if former.contains(where: { $0.device == comer.device && !vain.contains($0.phase) }) {
                        record.violate(
                            "R6, R13: device \(comer.device.rawValue) is started again, since it came to belong")
                    }
                }
                try rememberPendingStarts(to: activity)
            }
        }
    }

    /// Returns the newest generation of each name, in the order of the names.
    private func placesOfRunning() throws -> [(activity: ActivityID, places: [Replica])] {
        try Self.names.compactMap { name in
            guard let activity = try ledger.newestActivity(named: name, in: app) else { return nil }
            return (activity.id, try ledger.replicas(of: activity.id, after: 0, limit: .max))
        }
    }

    /// Records that a later start's declaration also applies to devices that join later.
    private func rememberPendingStarts(to id: ActivityID) throws {
        guard let activity = try ledger.activity(id) else { return }
        let generation = SimulationRecord.Generation(name: activity.name, number: activity.generation)
        for declared in record.live[generation] ?? [] { try rememberMarked(declared, of: id, in: generation) }
    }

    /// Implements the fault `comersRestarted`: ignores that a person has removed the card.
    private func restart(_ device: DeviceID) throws {
        for (id, places) in try placesOfRunning() where places.contains(where: { $0.device == device }) {
            guard let activity = try ledger.activity(id), !activity.isEnded, activity.type != nil else { continue }
            var request = DeclarationRequest(verb: .start, name: activity.name, content: content())
            (request.type, request.audience, request.restartsDismissed) = (activity.type, .device(device), true)
            _ = try Declare(Transaction(ledger, at: now), app: app)(request)
        }
    }
}

extension SimulationOracle {
    /// Judges that each device which belongs to a live audience and could be started has a place. Looks cover all
    /// changes.
    func judgeLive() throws {
        guard simulation.hasLive else { return }
        for audience in try simulation.ledger.liveAudiences(of: simulation.app, limit: .max) {
            guard let activity = try simulation.ledger.activity(audience.activity), !activity.isEnded,
                let type = activity.type,
                try simulation.ledger.newestActivity(named: activity.name, in: simulation.app)?.id == activity.id
            else { continue }
            if audience.looked != nil { violate("Live: an audience of \(activity.name) was not looked at") }
            guard audience.started < audience.asked.limit else { continue }
            let tag = audience.asked.audience.object?["tag"]?.string ?? ""
            for (index, phone) in simulation.phones.enumerated() {
                let user = try simulation.ledger.user("user-\(index + 1)", in: simulation.app)
                let token = try simulation.ledger.startToken(of: phone.device, type: type)
                guard user?.tags.contains(tag) == true, let token, token.death == nil else { continue }
                let places = try simulation.ledger.replicas(
                    of: phone.device, named: activity.name, in: simulation.app)
                if !places.contains(where: { $0.activity == activity.id }) {
                    violate("Live: phone-\(index + 1) belongs to \(activity.name), and has no card")
                }
            }
        }
    }
}
