import EyotContract

/// What the wall shows at one moment. It tells what has changed since the moment before.
struct WallPicture: Sendable {
    /// What an update found.
    struct Change: Sendable {
        var faces: [CardFaces.Entry]
        /// The phones that look different now.
        var phones: [WallPhone]
        /// Whether there are phones that were not there before, or activities that have changed.
        var isDeclaredNew: Bool
        var isLabNew: Bool
    }

    private(set) var phones: [WallPhone] = []
    private(set) var declared: [DeclaredActivity] = []
    private(set) var lab: JSONValue = .null
    private(set) var faces = CardFaces()
    /// The number of the face of each activity, by its name.
    private(set) var declaredFaces: [String: Int] = [:]
    /// The attributes that cards of an activity have, by its name. The server does not report them.
    private var attributes: [String: CardAttributes] = [:]

    /// The type and the attributes of a card.
    private struct CardAttributes: Hashable {
        var type: String
        var attributes: JSONValue
    }

    /// Takes the next moment in.
    mutating func update(_ readings: [PhoneReading], _ activities: [DeclaredActivity], _ lab: JSONValue) -> Change {
        let former = phones
        let byName = Dictionary(activities.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        learnAttributes(readings, byName)
        let formerFaces = declaredFaces
        // Drawn first, so that the members stand as they were declared.
        for activity in activities { declaredFaces[activity.name] = face(of: activity) }
        phones = readings.map { WallPhone($0, byName, &faces) }
        declaredFaces = declaredFaces.filter { byName[$0.key] != nil }
        let change = Change(
            faces: faces.takeNew(), phones: Self.changed(phones, former),
            isDeclaredNew: activities != declared || declaredFaces != formerFaces, isLabNew: lab != self.lab)
        faces.tidy()
        declared = activities
        self.lab = lab
        return change
    }

    /// The phones that differ from those before. A lab only appends phones, so each keeps its place.
    private static func changed(_ phones: [WallPhone], _ former: [WallPhone]) -> [WallPhone] {
        phones.indices.filter { $0 >= former.count || former[$0] != phones[$0] }.map { phones[$0] }
    }

    private mutating func face(of activity: DeclaredActivity) -> Int {
        let known = attributes[activity.name]
        let content = CardFaces.Content(
            type: known?.type ?? activity.type ?? "", attributes: known?.attributes ?? .object(JSONObject()),
            state: activity.contentState)
        return faces.entry(of: content).id
    }

    /// Finds the attributes of the activities that have none yet.
    private mutating func learnAttributes(_ readings: [PhoneReading], _ activities: [String: DeclaredActivity]) {
        attributes = attributes.filter { activities[$0.key] != nil }
        var missing = Set(activities.keys).subtracting(attributes.keys)
        for reading in readings where !missing.isEmpty {
            for card in reading.state.cards.reversed() {
                guard let name = reading.names[card.id], missing.remove(name) != nil else { continue }
                attributes[name] = CardAttributes(type: card.type, attributes: card.attributes)
            }
        }
    }

    /// How many phones have each mark.
    var counts: [WallMark: Int] {
        phones.reduce(into: [:]) { $0[$1.mark, default: 0] += 1 }
    }
}

extension DeclaredActivity {
    /// The activity for the page.
    ///
    /// - Parameter face: the number of the face of its state.
    func json(face: Int?) -> JSONValue {
        var object = JSONObject([
            ("name", .string(name)), ("generation", .integer(generation)), ("version", .integer(version)),
            ("state", .string(isEnded ? "ended" : stateVersion > 0 ? "active" : "undeclared")),
        ])
        object["stateVersion"] = .integer(stateVersion)
        object["type"] = type.map { .string($0) }
        object["face"] = face.map { .integer($0) }
        // As text too, because a browser's numbers lose their literals.
        object["contentState"] = contentState
        object["contentText"] = .string(contentState.text)
        object["declaredAt"] = declaredAt.map { .string(RFC3339.text(of: $0)) }
        if isHalted { object["halted"] = true }
        return .object(object)
    }
}
