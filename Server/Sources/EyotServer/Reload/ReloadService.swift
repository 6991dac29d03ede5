import Logging
import ServiceLifecycle
import UnixSignals

/// The service that reads settings and certificates again on SIGHUP, and logs what it has changed.
struct ReloadService: Service {
    let settings: RunningSettings
    let certificates: CertificateWatch
    /// Nil if no service manager supervises the process.
    let supervisor: Supervisor?
    let logger: Logger

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sighup)
        await cancelWhenGracefulShutdown { for await _ in signals { reload() } }
    }

    /// Reads settings and certificates again. After an error the former ones remain.
    func reload() {
        supervisor?.tell(.reloading)
        defer { supervisor?.tell(.ready) }
        do {
            let changes = try settings.reload()
            logger.notice(
                "The settings were read again",
                metadata: ["applied": Self.names(changes.applied), "needRestart": Self.names(changes.waiting)])
        } catch {
            logger.error(
                "The settings cannot be used; the former ones remain", metadata: ["error": "\(error)"])
        }
        certificates.reread(isForced: true)
    }

    private static func names(_ settings: [Setting]) -> Logger.MetadataValue {
        settings.isEmpty ? "none" : "\(settings.map(\.rawValue).joined(separator: ", "))"
    }
}
