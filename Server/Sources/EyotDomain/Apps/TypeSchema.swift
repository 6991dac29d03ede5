/// What a type is decoded from in one build of the app, as somebody has pushed it.
package struct TypeSchema: Sendable, Hashable {
    package var app: AppID
    package var type: String
    /// The app's version and build as its phones say it, for example `1.4 (27)`; ``everyOtherBuild`` for those that have none of their
    /// own.
    package var build: String
    /// An `ActivitySchema` as JSON. The same schema is the same bytes.
    package var json: [UInt8]
    package var pushedAt: Instant

    /// Phones cannot have it: a version is never empty.
    package static let everyOtherBuild = ""
    /// The most builds of one type that have schemas.
    package static let buildLimit = 1_000
    /// The most builds of one activity that are told apart. Whoever has an app's public key could make up more.
    package static let buildsPerActivity = 1_000

    package init(app: AppID, type: String, build: String, json: [UInt8], pushedAt: Instant) {
        self.app = app
        self.type = type
        self.build = build
        self.json = json
        self.pushedAt = pushedAt
    }
}
