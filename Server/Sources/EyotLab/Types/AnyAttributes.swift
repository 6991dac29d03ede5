import ActivityKitStandIn
import EyotContract
import PhoneSimulator
import Synchronization

/// Attributes of a type of which the lab knows only a name and perhaps a schema: any object.
///
/// ActivityKit and the SDK distinguish types by Swift type, so each name needs its own. `Slot` makes one from a number,
/// and ``CustomTypeNames`` maps names to numbers.
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

/// The successor of another number.
enum SlotAfter<Slot: TypeSlot>: TypeSlot {
    static var number: Int { Slot.number + 1 }
}

/// The numbers of custom types in this process. A name keeps its number, so that several labs may use it.
final class CustomTypeNames: Sendable {
    /// The most custom types of one process.
    static let capacity = 64
    static let shared = CustomTypeNames()

    private let names = Mutex<[String]>([])

    /// Returns the number of a name; nil if all numbers are in use.
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
    /// Makes a type from its name and a schema. Without a schema it accepts any object.
    ///
    /// - Parameter nameMember: the member of the attributes with a card's name. It takes precedence over all others.
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
