import Foundation

#if os(iOS) && !targetEnvironment(macCatalyst)
    /// Requests that the system makes even if the app sleeps or is dead. They are upload tasks of a background session,
    /// which read their body from a file. An app need not handle the session's events, because nothing depends on the
    /// answers.
    final class BackgroundUploads: Sendable {
        private let session: URLSession
        private let folder: URL

        /// The one instance of the process. The system identifies a session by its name.
        static let shared = BackgroundUploads()

        private init() {
            let configuration = URLSessionConfiguration.background(
                withIdentifier: "dev.eyot.uploads.\(Bundle.main.bundleIdentifier ?? "app")")
            // The system must not delay the requests, nor keep them longer than a card lives.
            configuration.isDiscretionary = false
            configuration.timeoutIntervalForResource = 8 * 3_600
            configuration.sessionSendsLaunchEvents = false
            configuration.urlCache = nil
            configuration.httpCookieStorage = nil
            session = URLSession(configuration: configuration)
            let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
            folder = (caches ?? FileManager.default.temporaryDirectory).appendingPathComponent(
                "Eyot", isDirectory: true)
        }

        /// Passes a request to the system. It replaces the one before.
        func handOver(_ request: URLRequest, body: [UInt8]) async {
            await takeBack()
            let file = folder.appendingPathComponent("\(UUID().uuidString).json")
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try Data(body).write(to: file, options: .completeFileProtectionUntilFirstUserAuthentication)
            } catch {
                // Without a file there is no upload, and the changes wait for the app.
                return
            }
            session.uploadTask(with: request, fromFile: file).resume()
        }

        /// Cancels the requests that the system has not sent, and removes the files of all earlier ones.
        func takeBack() async {
            for task in await session.allTasks { task.cancel() }
            let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            for file in files ?? [] {
                // A file that stays is removed the next time. The system empties the folder when space is short.
                try? FileManager.default.removeItem(at: file)
            }
        }
    }
#endif
