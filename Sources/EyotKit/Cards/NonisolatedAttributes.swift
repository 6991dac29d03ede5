/// A type of attributes whose conformances are used on any thread.
@available(iOS 16.1, *)
package typealias NonisolatedAttributes = any (ActivityAttributes & SendableMetatype).Type

/// The same type without its actor. Xcode's project template isolates every type of an app to the main actor, its
/// conformances included. ActivityKit decodes such types on threads of its own, and the SDK does the same.
///
/// The cast is sound: `SendableMetatype` is a marker protocol, so both metatypes consist of the type and one witness
/// table. The SDK calls `Codable` and `Hashable` of values that no other thread has. Only a conformance that was
/// written by hand and that reads state of the main actor would see a race, and ActivityKit gives it the same one.
@available(iOS 16.1, *)
package func nonisolatedType<Attributes: ActivityAttributes>(_ type: Attributes.Type) -> NonisolatedAttributes {
    unsafeBitCast(type as any ActivityAttributes.Type, to: NonisolatedAttributes.self)
}

/// A closure over values of one type as a closure over any value: for code that knows the type by another name.
///
/// - Returns: a closure that answers nil for values of other types.
package func erased<Value, Result>(
    _ body: @escaping @Sendable (Value) -> Result?
) -> @Sendable (Any) -> Result? {
    { value in (value as? Value).flatMap(body) }
}
