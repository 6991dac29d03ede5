import ActivityKitStandIn
import EyotContract
import PhoneSimulator
import Synchronization

/// Attributes of a type of which a lab knows the name and no more than a schema: any object.
///
/// ActivityKit and the SDK tell types apart by Swift type, so every name needs a Swift type of its own. `Slot` makes one:
/// it counts, and ``CustomTypeNames`` knows which name has which number.
struct AnyAttributes<Slot: TypeSlot>: NamedActivityAttributes {
    typealias ContentState = AnyJSONObject

    static var activityTypeName: String { CustomTypeNames.shared.name(at: Slot.number) }

    let members: AnyJSONObject

    init(from decoder: any Decoder) throws { members = try AnyJSONObject(from: decoder) }

    func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
}

/// A number as a type.
protocol TypeSlot: SendableMetatype {
    static var number: Int { get }
}

/// The number 0.
enum FirstSlot: TypeSlot {
    static var number: Int { 0 }
}

/// One more than another number.
enum SlotAfter<Slot: TypeSlot>: TypeSlot {
    static var number: Int { Slot.number + 1 }
}

/// Which custom type of this process has which number. A name keeps its number, so that several labs may use it.
final class CustomTypeNames: Sendable {
    /// Custom types that one process can have.
    static let capacity = 64
    static let shared = CustomTypeNames()

    private let names = Mutex<[String]>([])

    /// The number of a name; nil where there are as many names as there can be.
    func number(of name: String) -> Int? {
        names.withLock { names in
            if let number = names.firstIndex(of: name) { return number }
            guard names.count < Self.capacity else { return nil }
            names.append(name)
            return names.count - 1
        }
    }

    func name(at number: Int) -> String { names.withLock { $0[number] } }
}

extension LabType {
    /// A type that the lab knows by its name, and by a schema where there is one; without one it takes any object.
    ///
    /// - Parameter nameMember: the member of the attributes in which a card's name stands, before all others.
    /// - Throws: ``LabError/tooManyTypes``.
    public static func custom(_ name: String, nameMember: String? = nil, schema: ActivitySchema? = nil) throws
        -> LabType
    {
        guard let number = CustomTypeNames.shared.number(of: name) else { throw LabError.tooManyTypes }
        var slot: any TypeSlot.Type = FirstSlot.self
        for _ in 0..<number { slot = next(slot) }
        let check = schema.map { .schema($0, type: name) } ?? PayloadCheck.anyObject(type: name)
        let members = (nameMember.map { [$0] } ?? []) + defaultNameMembers
        return make(slot, nameMembers: members, schema: schema, check: check)
    }

    private static func next<Slot: TypeSlot>(_ slot: Slot.Type) -> any TypeSlot.Type { SlotAfter<Slot>.self }

    private static func make<Slot: TypeSlot>(
        _ slot: Slot.Type, nameMembers: [String], schema: ActivitySchema?, check: PayloadCheck
    ) -> LabType {
        LabType(AnyAttributes<Slot>.self, nameMembers: nameMembers, schema: schema, check: check)
    }
}
