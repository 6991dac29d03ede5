import EyotContract

/// A message to viewers of the wall, as `text/event-stream` has it.
enum WallMessage: Sendable {
    case faces([CardFaces.Entry])
    case declared(WallPicture)
    /// All phones. What a viewer knew before is over.
    case phones([WallPhone])
    /// Phones that look different now.
    case changed([WallPhone])
    case lab(JSONValue)

    private var name: String {
        switch self {
        case .faces: "faces"
        case .declared: "declared"
        case .phones: "phones"
        case .changed: "changed"
        case .lab: "lab"
        }
    }

    private var data: JSONValue {
        switch self {
        case .faces(let entries): .array(entries.map(\.json))
        case .declared(let picture):
            .array(picture.declared.map { $0.json(face: picture.declaredFaces[$0.name]) })
        case .phones(let phones), .changed(let phones): .array(phones.map(\.json))
        case .lab(let lab): lab
        }
    }

    /// The message on the wire. JSON text has no line feeds.
    var bytes: [UInt8] { Array("event: \(name)\ndata: ".utf8) + data.utf8 + Array("\n\n".utf8) }

    /// All that a new viewer has to know.
    static func all(of picture: WallPicture) -> [UInt8] {
        [.lab(picture.lab), .faces(picture.faces.all), .declared(picture), .phones(picture.phones)]
            .flatMap { (message: WallMessage) in message.bytes }
    }

    /// What the other viewers have to know; empty if nothing has changed.
    static func news(_ change: WallPicture.Change, _ picture: WallPicture) -> [UInt8] {
        var messages: [WallMessage] = []
        if !change.faces.isEmpty { messages.append(.faces(change.faces)) }
        if change.isDeclaredNew { messages.append(.declared(picture)) }
        if !change.phones.isEmpty { messages.append(.changed(change.phones)) }
        if change.isLabNew { messages.append(.lab(picture.lab)) }
        return messages.flatMap(\.bytes)
    }
}
