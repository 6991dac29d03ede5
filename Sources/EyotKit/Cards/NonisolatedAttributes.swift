/// An attributes type with conformances that are usable on any thread.
@available(iOS 16.1, *)
package typealias NonisolatedAttributes = any (ActivityAttributes & SendableMetatype).Type

/// Returns the same type without its actor. Xcode's project template isolates every type of an app to the main actor,
/// including its conformances. ActivityKit decodes such types on its own threads, and the SDK does the same.
///
/// The cast is sound: `SendableMetatype` is a marker protocol, so both metatypes consist of the type and one witness
/// table. The SDK uses `Codable` and `Hashable` only on values that no other thread has. A conformance written by hand
/// that reads state of the main actor would race. ActivityKit exposes it to the same race.
@available(iOS 16.1, *)
package func nonisolatedType<Attributes: ActivityAttributes>(_ type: Attributes.Type) -> NonisolatedAttributes {
    unsafeBitCast(type as any ActivityAttributes.Type, to: NonisolatedAttributes.self)
}

/// Turns a closure over values of one type into a closure over any value. Code that cannot name the type uses it.
///
/// - Returns: a closure that returns nil for values of other types.
package func erased<Value, Result>(
    _ body: @escaping @Sendable (Value) -> Result?
) -> @Sendable (Any) -> Result? {
    { value in (value as? Value).flatMap(body) }
}
