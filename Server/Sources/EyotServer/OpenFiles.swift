import Foundation
import HTTPConnections
import Logging

/// The limit of files and sockets that the process may have open at a time.
enum OpenFiles {
    /// How many files are kept for the database, the connections to Apple and everything else.
    static let others = 256

    /// Raises the process's limit to `wanted`, or to what the system allows.
    ///
    /// - Returns: The limit; nil if it is unknown.
    static func raise(to wanted: Int) -> Int? {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return nil }
        let most = Int(clamping: limit.rlim_max)
        guard Int(clamping: limit.rlim_cur) < min(wanted, most) else { return Int(clamping: limit.rlim_cur) }
        limit.rlim_cur = rlim_t(min(wanted, most))
        guard setrlimit(resource, &limit) == 0, getrlimit(resource, &limit) == 0 else { return nil }
        return Int(clamping: limit.rlim_cur)
    }

    #if canImport(Glibc)
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let resource = RLIMIT_NOFILE
    #endif
}

extension ConnectionLimits {
    /// The limits with no more connections than the process may have open. Without that the server could accept no
    /// connection beyond it, and could not answer for health.
    ///
    /// - Parameters:
    ///   - openFiles: Raises the process's limit to a number, and returns the new limit; nil if it is unknown.
    ///   - listeners: How many listeners have these limits.
    func fitted(to openFiles: (Int) -> Int?, listeners: Int, logger: Logger) -> ConnectionLimits {
        let needed = (connections + reserve) * listeners + OpenFiles.others
        guard let files = openFiles(needed), files < needed else { return self }
        var fitted = self
        fitted.connections = max(1, (files - OpenFiles.others) / listeners - reserve)
        logger.warning(
            "The limit on open files allows fewer connections than http-connections: raise it (ulimit -n)",
            metadata: ["files": "\(files)", "connections": "\(fitted.connections)"])
        return fitted
    }
}
