import CBuildInfo
import EyotHTTP
import EyotSQLite

/// What the build says of itself.
package enum BuildInfo {
    /// The version of the program, as the changelog and the release's tag name it.
    package static let version = "0.2.0"
    /// The version of the database's schema that it reads and writes.
    package static let schema = SQLiteDatabase.schemaVersion
    /// The commit that it was built from; `unknown` if the build was not given `BUILD_COMMIT`.
    package static let commit = String(cString: build_info_commit())

    /// What callers of the API read of the build.
    package static let description = BuildDescription(version: version, commit: commit, schema: schema)
}
