/// The pushed schema that a type is decoded from in one build of the app.
package struct TypeSchema: Sendable, Hashable {
    package var app: AppID
    package var type: String
    /// The app's version and build as its phones report it, for example `1.4 (27)`, or ``everyOtherBuild`` for builds
    /// without a schema of their own.
    package var build: String
    /// An `ActivitySchema` as JSON. Equal schemas have equal bytes.
    package var json: [UInt8]
    package var pushedAt: Instant

    /// A name that no phone can report, because a version is never empty.
    package static let everyOtherBuild = ""
    /// The most builds of one type that have schemas.
    package static let buildLimit = 1_000
    /// The most builds of one activity that are told apart. Callers with an app's public key could make up more.
    package static let buildsPerActivity = 1_000

    package init(app: AppID, type: String, build: String, json: [UInt8], pushedAt: Instant) {
        self.app = app
        self.type = type
        self.build = build
        self.json = json
        self.pushedAt = pushedAt
    }
}
