/// A Live Activity type that an app has used, by its name. The name `*` stands for the profile of all other types.
package struct KnownType: Sendable, Hashable {
    package var name: String
    /// How many schemas it has, one for each build of the app.
    package var schemas = 0
    package var hasProfile = false
    /// Whether numbers of its cards are kept.
    package var isCounted = false

    package init(_ name: String) { self.name = name }
}
