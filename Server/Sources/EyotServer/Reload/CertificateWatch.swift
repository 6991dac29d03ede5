import EyotDomain
import HTTPConnections
import Logging
import ServiceLifecycle

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
            } catch {
                logger.error(
                    "A changed certificate cannot be used; the old one remains",
                    metadata: ["file": file, "error": "\(error)"])
            }
        }
    }
}
