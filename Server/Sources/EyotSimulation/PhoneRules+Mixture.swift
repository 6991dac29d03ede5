import PhoneSimulator

extension PhoneRules {
    /// The rules of one phone of many: each switch is flipped with this chance in a hundred.
    package static func mixture(seed: UInt64, percent: Int = 20) -> PhoneRules {
        var random = SeededGenerator(seed: seed, name: "rules")
        var rules = PhoneRules()
        for choice in switches where random.percent(percent) { choice.flip(&rules) }
        return rules
    }

    /// The rules that are not at their default, in words.
    var differences: [String] {
        zip(Mirror(reflecting: self).children, Mirror(reflecting: PhoneRules()).children).compactMap { own, standard in
            "\(own.value)" == "\(standard.value)" ? nil : "\(own.label ?? "") = \(own.value)"
        }
    }
}
