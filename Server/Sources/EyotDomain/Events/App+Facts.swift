import EyotContract

extension App {
    /// The facts of a change. Halts, pauses and failures of Apple are facts. A change of settings or keys is in the
    /// audit log alone.
    package func facts(since former: App) -> [Fact] {
        var facts: [Fact] = []
        if haltedAt != nil, former.haltedAt == nil { facts.append(Fact(.appHalted)) }
        if haltedAt == nil, former.haltedAt != nil { facts.append(Fact(.appResumed)) }
        let halted = Set(haltedTypes.keys)
        let formerlyHalted = Set(former.haltedTypes.keys)
        facts += halted.subtracting(formerlyHalted).sorted().map { Fact(.typeHalted, reason: $0) }
        facts += formerlyHalted.subtracting(halted).sorted().map { Fact(.typeResumed, reason: $0) }
        for environment in PushEnvironment.allCases {
            let (pause, before) = (pauses[environment], former.pauses[environment])
            if let pause, before == nil { facts.append(Fact(.appPaused, reason: pause.reason.name)) }
            if pause == nil, before != nil { facts.append(Fact(.appResumed, reason: environment.rawValue)) }
            let (failure, earlier) = (failures[environment], former.failures[environment])
            if let failure, earlier == nil {
                facts.append(Fact(.appFailing, reason: failure.reason?.name ?? AppleFailure.unanswered))
            }
            if failure == nil, earlier != nil { facts.append(Fact(.appRecovered, reason: environment.rawValue)) }
        }
        return facts
    }
}
