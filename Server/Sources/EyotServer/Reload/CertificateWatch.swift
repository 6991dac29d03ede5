import EyotDomain
import Foundation
import HTTPConnections
import Logging
import ServiceLifecycle

extension ServerCertificate {
    /// How long before its end a certificate is a warning.
    private static let notice = 14 * 86_400.0

    /// Logs that clients refuse the certificate, or will soon.
    func warnOfEnd(at now: Date, _ logger: Logger) {
        let left = end.timeIntervalSince(now)
        guard left < Self.notice else { return }
        logger.warning(
            left > 0 ? "A certificate ends soon: renew it" : "A certificate has ended, and clients refuse it: renew it",
            metadata: ["file": "\(files.certificate)", "end": "\(end.formatted(.iso8601))"])
    }
}

/// The service that reads the listeners' certificates again within a minute after their files have changed.
struct CertificateWatch: Service {
    /// Seconds between two looks at the files.
    private static let interval = 60.0

    let certificates: [ServerCertificate]
    let clock: any WallClock
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await clock.pause(seconds: Self.interval)) != nil { reread(isForced: false) }
        }
    }

    /// Reads the certificates again.
    ///
    /// - Parameter isForced: Whether unchanged files are read, too.
    func reread(isForced: Bool) {
        for certificate in certificates {
            let file: Logger.MetadataValue = "\(certificate.files.certificate)"
            do {
                guard try certificate.reread(isForced: isForced) else { continue }
                logger.notice("A certificate was read again", metadata: ["file": file])
                certificate.warnOfEnd(at: clock.now.date, logger)
            } catch {
                logger.error(
                    "A changed certificate cannot be used; the old one remains",
                    metadata: ["file": file, "error": "\(error)"])
            }
        }
    }
}
