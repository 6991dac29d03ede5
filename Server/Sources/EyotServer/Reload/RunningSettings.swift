import EyotCommands
import EyotEngine
import EyotHTTP
import Synchronization

/// Where a server reads its settings again.
package struct SettingsSource: Sendable {
    let threshold: LogThreshold
    let read: @Sendable () throws -> ServerConfiguration

    /// - Parameters:
    ///   - threshold: The level of the process's log, which a change of `log-level` sets.
    ///   - read: Reads the settings as at the start.
    package init(threshold: LogThreshold, read: @escaping @Sendable () throws -> ServerConfiguration) {
        (self.threshold, self.read) = (threshold, read)
    }
}

/// The settings that a server runs with. Some of them change while it runs (``Setting/isReloadable``).
final class RunningSettings: Sendable {
    /// What reading the settings again has found, in the order of all settings.
    struct Changes: Equatable {
        /// Changed settings that hold from now on.
        var applied: [Setting] = []
        /// Changed settings that the next start applies.
        var waiting: [Setting] = []
    }

    private let current: Mutex<ServerConfiguration>
    private let started: ServerConfiguration
    private let source: SettingsSource?
    private let limitsChanged: @Sendable (CallLimits) -> Void

    /// - Parameters:
    ///   - source: Nil if the settings cannot be read again.
    ///   - limitsChanged: Applies other limits of calls.
    init(
        _ configuration: ServerConfiguration, source: SettingsSource?,
        limitsChanged: @escaping @Sendable (CallLimits) -> Void
    ) {
        started = configuration
        current = Mutex(configuration)
        (self.source, self.limitsChanged) = (source, limitsChanged)
    }

    var retention: Retention { current.withLock { $0.retention } }

    /// Reads the settings again, and applies those that need no restart.
    ///
    /// - Throws: The error of a setting or its file. Then nothing changes.
    func reload() throws -> Changes {
        guard let source else { return Changes() }
        let new = try source.read()
        let (applied, waiting) = current.withLock { former in
            let applied = new.given.changes(from: former.given).filter(\.isReloadable)
            former = new
            return (applied, new.settingsToRestart(from: started))
        }
        source.threshold.level = new.logLevel
        limitsChanged(new.callLimits)
        return Changes(applied: applied, waiting: waiting)
    }
}

extension ServerConfiguration {
    /// Settings with another value than at the start, which only a restart applies. A secret in a file has another
    /// value if the file has.
    fileprivate func settingsToRestart(from started: ServerConfiguration) -> [Setting] {
        var changed = Set(given.changes(from: started.given).filter { !$0.isReloadable })
        if panel.openID?.clientSecret?.text != started.panel.openID?.clientSecret?.text,
            !changed.contains(.panelOIDCClientSecret)
        {
            changed.insert(.panelOIDCClientSecretFile)
        }
        return Setting.allCases.filter(changed.contains)
    }
}
