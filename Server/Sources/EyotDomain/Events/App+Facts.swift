import EyotContract

extension App {
    package func facts(since former: App) -> [Fact] {
        var facts: [Fact] = []
        if haltedAt != nil, former.haltedAt == nil { facts.append(Fact(.appHalted)) }
        if haltedAt == nil, former.haltedAt != nil { facts.append(Fact(.appResumed)) }
        for environment in PushEnvironment.allCases {
            let (pause, before) = (pauses[environment], former.pauses[environment])
            if let pause, before == nil { facts.append(Fact(.appPaused, reason: pause.reason.name)) }
            if pause == nil, before != nil { facts.append(Fact(.appResumed, reason: environment.rawValue)) }
        }
        return facts
    }
}
