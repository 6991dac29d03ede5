import EyotContract

@available(iOS 16.1, *)
extension ActivitySchema {
    /// Finds the schema of a Live Activity type from the type itself.
    ///
    /// Structs, optionals, collections, dates and enums that are `CaseIterable` are found without further words. Of other enums, and
    /// of types that only decode from certain values, it needs examples: of the type itself, or of anything that holds it.
    ///
    /// - Throws: ``ShapeProblem`` that names the type of which it needs to know more.
    public init<Attributes: ActivityAttributes>(of type: Attributes.Type, examples: [any Codable] = []) throws {
        let probe = try ShapeProbe(examples: examples)
        let shapes = try probe.shapes(of: [Attributes.self, Attributes.ContentState.self])
        self.init(
            type: Activity<Attributes>.typeName, attributes: shapes[0], contentState: shapes[1], types: probe.types)
    }
}
