import CBuildInfo
import EyotSQLite

/// What the build says of itself.
package enum BuildInfo {
    /// The version of the program.
    package static let version = "0.1.0"
    /// The step of the database's schema that it reads and writes.
    package static let schema = SQLiteDatabase.schemaVersion
    /// The commit that it was built from; `unknown` if the build was not given `BUILD_COMMIT`.
    package static let commit = String(cString: build_info_commit())
}
