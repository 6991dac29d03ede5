import EyotDomain

extension Backend {
    /// The error that ended a call's work after some of it was done.
    struct Unfinished<Part> {
        /// The parts that were not done.
        var parts: ArraySlice<Part>
        /// The error for the caller.
        var error: EyotError
        /// The error of the server behind it, for the log; nil if there is none.
        var fault: (any Error)?
    }

    /// Does a call's work in parts of one transaction each.
    ///
    /// - Returns: The parts from the first failure on; nil if all are done. The call then has to answer which those
    ///   are, because an error in place of the answer means that nothing was changed.
    /// - Throws: The error of the first part. Then nothing was changed.
    func eachPart<Part>(
        of parts: [Part], _ work: (Part) async throws -> Void
    ) async throws -> Unfinished<Part>? {
        for (index, part) in parts.enumerated() {
            do {
                try await work(part)
            } catch  where index > 0 {
                let isKnown = error is EyotError
                return Unfinished(
                    parts: parts[index...], error: EyotError(inside: error), fault: isKnown ? nil : error)
            }
        }
        return nil
    }
}

extension EyotError {
    /// The error for the caller. An error of the server itself is only for the log.
    init(inside error: any Error) {
        self = error as? EyotError ?? .internalFault
    }

    static let internalFault = EyotError(.internalFault, "the server failed; the server's log has the cause")
}
