import PhoneSimulator

/// The part of each phone in a demo. The seed decides it before anything runs.
struct DemoCast: Sendable, Equatable {
    /// The way in which a phone gets its card.
    enum Entrance: Sendable, Equatable, CaseIterable {
        /// The server starts it.
        case remote
        /// The app starts it at kick-off.
        case local
        /// The user opens the app in the 85th minute and follows the match from there.
        case late
    }

    /// An event that happens to a phone during the match.
    enum Incident: Sendable, Equatable, CaseIterable {
        /// The system gives the card a new update token.
        case rotates
        /// The app is swiped away and opened again later.
        case quits
        /// The phone has no network for a while.
        case offlineForAWhile
        /// The user swipes the card away.
        case dismisses
        /// The user never presses Allow, so the card gets no update token.
        case neverAllows
        /// The phone is offline when the match ends.
        case offlineAtEnd

        /// Whether the phone cannot show the end, or must not.
        var isExcluded: Bool { [.dismisses, .neverAllows, .offlineAtEnd].contains(self) }

        /// The share of the phones in percent. The last three together stay under 10.
        var percentage: Int {
            switch self {
            case .rotates, .quits, .offlineForAWhile: 5
            case .dismisses: 4
            case .neverAllows: 3
            case .offlineAtEnd: 2
            }
        }
    }

    /// One phone's part.
    struct Part: Sendable, Equatable {
        var entrance: Entrance
        var incident: Incident?
        /// When the incident begins and, for some, ends: shares of the match from 0 to 1.
        var begins = 0.0
        var ends = 0.0
    }

    /// The parts in the order in which phones are added: remote, local, late.
    let parts: [Part]

    init(phones: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed, name: "cast")
        let remote = phones * 70 / 100
        let late = phones * 10 / 100
        var parts = Array(repeating: Part(entrance: .remote), count: remote)
        parts += Array(repeating: Part(entrance: .local), count: phones - remote - late)
        parts += Array(repeating: Part(entrance: .late), count: late)
        // Late phones have no time for an incident. Only a card started by push asks for Allow.
        for incident in Incident.allCases.reversed() {
            let fits = incident == .neverAllows ? 0..<remote : 0..<phones - late
            let free = fits.filter { parts[$0].incident == nil }.shuffled(using: &random)
            for index in free.prefix(phones * incident.percentage / 100) {
                parts[index].incident = incident
                parts[index].begins = Double.random(in: 0.1...0.5, using: &random)
                parts[index].ends = parts[index].begins + Double.random(in: 0.1...0.3, using: &random)
            }
        }
        self.parts = parts
    }

    /// Returns how many phones get their card in this way.
    func count(_ entrance: Entrance) -> Int { parts.count { $0.entrance == entrance } }

    /// Returns how many phones have this incident.
    func count(_ incident: Incident) -> Int { parts.count { $0.incident == incident } }
}
