import PhoneSimulator

extension PhoneRules {
    /// Returns the rules of one phone among many. Each switch is flipped with this chance in percent.
    package static func mixture(seed: UInt64, percent: Int = 20) -> PhoneRules {
        var random = SeededGenerator(seed: seed, name: "rules")
        var rules = PhoneRules()
        for choice in switches where random.percent(percent) { choice.flip(&rules) }
        return rules
    }

    /// The rules that differ from their default, in words.
    var differences: [String] {
        zip(Mirror(reflecting: self).children, Mirror(reflecting: PhoneRules()).children).compactMap { own, standard in
            "\(own.value)" == "\(standard.value)" ? nil : "\(own.label ?? "") = \(own.value)"
        }
    }
}
