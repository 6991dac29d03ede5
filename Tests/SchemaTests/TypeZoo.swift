import EyotContract
import EyotKit
import Foundation
import Testing

/// A type, and what is needed to find its shape.
struct Specimen: Sendable, CustomTestStringConvertible {
    let type: any (Decodable & SendableMetatype).Type
    let examples: [any Codable & Sendable]

    init(_ type: any (Decodable & SendableMetatype).Type, examples: [any Codable & Sendable] = []) {
        self.type = type
        self.examples = examples
    }

    var testDescription: String { "\(type)" }

    /// Its shape, and the shapes that have names.
    var shape: (JSONShape, [String: JSONShape]) {
        get throws {
            let probe = try ShapeProbe(examples: examples)
            return (try #require(probe.shapes(of: [type]).first), probe.types)
        }
    }
}

extension Specimen {
    /// Types of all shapes that a Live Activity may have.
    static let all: [Specimen] = leaves + structs + containers + enums + byHand + generics

    static let leaves: [Specimen] = [
        Specimen(Holder<Bool>.self), Specimen(Holder<String>.self), Specimen(Holder<Int>.self),
        Specimen(Holder<Int8>.self), Specimen(Holder<Int16>.self), Specimen(Holder<Int32>.self),
        Specimen(Holder<Int64>.self), Specimen(Holder<UInt>.self), Specimen(Holder<UInt8>.self),
        Specimen(Holder<UInt16>.self), Specimen(Holder<UInt32>.self), Specimen(Holder<UInt64>.self),
        Specimen(Holder<Float>.self), Specimen(Holder<Double>.self), Specimen(Holder<Decimal>.self),
        Specimen(Holder<Date>.self), Specimen(Holder<URL>.self), Specimen(Holder<UUID>.self),
        Specimen(Holder<Data>.self), Specimen(Int.self), Specimen(String.self),
    ]

    static let structs: [Specimen] = [
        Specimen(Score.self), Specimen(Match.self), Specimen(Renamed.self), Specimen(Empty.self),
        Specimen(AllOptional.self), Specimen(Deep.self), Specimen(WithDefaults.self), Specimen(Tree.self),
        Specimen(Chain.self), Specimen(Wide.self), Specimen(Derived.self),
    ]

    static let containers: [Specimen] = [
        Specimen(Holder<[Int]>.self), Specimen(Holder<[String?]>.self), Specimen(Holder<[[Score]]>.self),
        Specimen(Holder<Set<String>>.self), Specimen(Holder<[String: Int]>.self), Specimen(Holder<[Int: String]>.self),
        Specimen(Holder<[String: [Score]]>.self), Specimen(Holder<[String: Double?]>.self),
        Specimen(Holder<[Phase: Int]>.self), Specimen(Holder<Int??>.self), Specimen([Match].self),
        Specimen([String: Match].self), Specimen(Holder<ContiguousArray<Int>>.self),
    ]

    static let enums: [Specimen] = [
        Specimen(Holder<Phase>.self), Specimen(Holder<Level>.self), Specimen(Holder<Tiny>.self),
        Specimen(Holder<Phase?>.self), Specimen(Holder<[Phase]>.self),
        Specimen(Holder<Event>.self, examples: Event.examples), Specimen([Event].self, examples: Event.examples),
        Specimen(Holder<Unlisted>.self, examples: [Unlisted.red, .green]),
        Specimen(Step.self, examples: [Step.begin, .go(by: 1), .end(why: nil)]),
        Specimen(Holder<Nested>.self, examples: Event.examples + [Nested.event(.over), .phase(.first)]),
    ]

    static let byHand: [Specimen] = [
        Specimen(Wrapped.self), Specimen(Holder<Wrapped>.self), Specimen(Pair.self), Specimen(Grid.self),
        Specimen(Flattened.self), Specimen(OmittableButNotNull.self), Specimen(NullButNotOmittable.self),
        Specimen(Tagged.self), Specimen(Anything.self), Specimen(NumberOrText.self), Specimen(Holder<Minutes>.self),
        Specimen(Lossless.self),
    ]

    static let generics: [Specimen] = [
        Specimen(Both<Int, String>.self), Specimen(Both<Score, [Phase]>.self), Specimen(Holder<Both<Int?, Date>>.self),
        Specimen(Both<Holder<Int>, Holder<String>>.self),
    ]
}

// MARK: - Structs

struct Holder<Value> {
    var value: Value
}

extension Holder: Decodable where Value: Decodable {}
extension Holder: Encodable where Value: Encodable {}

struct Both<First: Decodable, Second: Decodable>: Decodable {
    var first: First
    var second: Second?
}

struct Score: Codable, Hashable {
    var home: Int
    var away: Int
}

struct Match: Codable {
    var score: Score
    var minute: UInt8
    var kickOff: Date
    var stadium: String?
    var goals: [Goal]
    var isLive: Bool

    struct Goal: Codable {
        var scorer: String
        var minute: Int
        var assist: String?
    }
}

struct Renamed: Codable {
    var homeTeam: String
    var awayTeam: String?

    enum CodingKeys: String, CodingKey {
        case homeTeam = "home-team"
        case awayTeam = "away_team"
    }
}

struct Empty: Codable {}

struct AllOptional: Codable {
    var text: String?
    var number: Double?
    var flag: Bool?
    var date: Date?
    var link: URL?
    var id: UUID?
    var inner: Score?
    var list: [Int]?
    var int8: Int8?
    var int16: Int16?
    var int32: Int32?
    var int64: Int64?
    var uint: UInt?
    var uint8: UInt8?
    var uint16: UInt16?
    var uint32: UInt32?
    var uint64: UInt64?
    var float: Float?
    var int: Int?
}

struct Deep: Codable {
    var a: A

    struct A: Codable {
        var b: B?

        struct B: Codable {
            var c: [String: C]

            struct C: Codable {
                var d: Score?
            }
        }
    }
}

/// A member with a default that is not there is decoded by hand.
struct WithDefaults: Decodable {
    var count: Int
    var title: String

    enum CodingKeys: CodingKey {
        case count, title
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        count = try container.decodeIfPresent(Int.self, forKey: .count) ?? 7
        title = try container.decode(String.self, forKey: .title)
    }
}

struct Tree: Codable {
    var name: String
    var children: [Tree]
}

final class Chain: Codable {
    let number: Int
    let next: Chain?
}

struct Wide: Codable {
    var a1: Int, a2: String, a3: Bool, a4: Double, a5: Date, a6: URL?, a7: UUID?, a8: [Int], a9: [String: String]
    var b1: Int8, b2: UInt16?, b3: Float, b4: Decimal?, b5: Data?, b6: Phase, b7: Level?, b8: Score, b9: [Score]
}

class Base: Codable {
    var id: Int
}

final class Derived: Base {
    var name: String

    enum CodingKeys: CodingKey {
        case name
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        try super.init(from: container.superDecoder())
    }
}

// MARK: - Enums

enum Phase: String, Codable, CaseIterable, CodingKeyRepresentable {
    case first, second
    case over = "full-time"
}

enum Level: Int, Codable, CaseIterable {
    case low = -1
    case middle
    case high = 10
}

enum Tiny: UInt8, Codable, CaseIterable {
    case none = 0
    case all = 255
}

/// Not CaseIterable, so it needs examples.
enum Unlisted: String, Codable {
    case red, green
}

enum Event: Codable {
    case goal(by: String, minute: Int)
    case card(Colour)
    case pause
    case over

    enum Colour: String, Codable, CaseIterable {
        case yellow, red
    }

    static let examples: [any Codable & Sendable] = [
        Event.goal(by: "x", minute: 1), Event.card(.red), Event.pause, Event.over,
    ]
}

enum Step: Codable {
    case begin
    case go(by: Int)
    case end(why: String?)
}

enum Nested: Codable {
    case event(Event)
    case phase(Phase?)
}

// MARK: - Decoding of their own

struct Wrapped: Decodable {
    var number: Int

    init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(Int.self)
    }
}

/// An array of two.
struct Pair: Decodable {
    var name: String
    var number: Int

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        name = try container.decode(String.self)
        number = try container.decode(Int.self)
    }
}

struct Grid: Decodable {
    var rows: [[Int]] = []

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd { rows.append(try container.decode([Int].self)) }
    }
}

/// A nested container without a type of its own.
struct Flattened: Decodable {
    var home: Int
    var away: Int?

    enum CodingKeys: CodingKey {
        case score
    }

    enum ScoreKeys: CodingKey {
        case home, away
    }

    init(from decoder: any Decoder) throws {
        let score = try decoder.container(keyedBy: CodingKeys.self)
            .nestedContainer(keyedBy: ScoreKeys.self, forKey: .score)
        home = try score.decode(Int.self, forKey: .home)
        away = try score.decodeIfPresent(Int.self, forKey: .away)
    }
}

struct OmittableButNotNull: Decodable {
    var number: Int

    enum CodingKeys: CodingKey {
        case number
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        number = container.contains(.number) ? try container.decode(Int.self, forKey: .number) : 0
    }
}

struct NullButNotOmittable: Decodable {
    var number: Int?

    enum CodingKeys: CodingKey {
        case number
    }

    init(from decoder: any Decoder) throws {
        number = try decoder.container(keyedBy: CodingKeys.self).decode(Int?.self, forKey: .number)
    }
}

/// A raw value without cases.
struct Tagged: RawRepresentable, Codable {
    var rawValue: String
}

struct Anything: Decodable, JSONShapeDescribing {
    static var jsonShape: JSONShape { .any }

    init(from decoder: any Decoder) throws {}
}

struct NumberOrText: Decodable, JSONShapeDescribing {
    var text: String

    static var jsonShape: JSONShape { .union([.number(.int), .text(.string)]) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            text = String(number)
        } else {
            text = try container.decode(String.self)
        }
    }
}

struct Minutes: RawRepresentable, Codable {
    var rawValue: Int
}

/// An enum with a case for everything else.
enum Lossless: Codable, RawRepresentable, CaseIterable {
    case known, unknown

    static var allCases: [Lossless] { [.known] }

    init?(rawValue: String) { self = rawValue == "known" ? .known : .unknown }

    var rawValue: String { "known" }
}
