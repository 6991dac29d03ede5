#if !os(iOS) || targetEnvironment(macCatalyst)
    import Foundation
    import PhoneSimulator

    extension ProcessInfo {
        /// Asks the system not to put the app to sleep while this runs; on a phone that is `performExpiringActivity`.
        package func holdAwake(for reason: String, _ body: @Sendable () async -> Void) async {
            guard let process = PhoneProcess.current else { return await body() }
            await process.holdAwake(body)
        }
    }
#endif
