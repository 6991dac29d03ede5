/// The fault of a request, for its caller: a stable code, a sentence, and the field if there is one.
package struct EyotError: Error, Sendable, Hashable {
    package var code: Code
    package var detail: String
    /// The member of the body, as a path; nil if the fault is in none.
    package var field: String?
    /// Whether the detail and the field name members as the caller wrote them, even if Eyot has other names for them.
    package var isInCallersWords = false
    /// Whether the fault is that something does not exist, although the code has a wider meaning.
    package var isOfMissing = false

    package init(_ code: Code, _ detail: String, field: String? = nil) {
        self.code = code
        self.detail = detail
        self.field = field
    }

    package static func activityUnknown(_ name: String) -> EyotError {
        EyotError(.activityUnknown, "there is no activity \(name)")
    }

    /// - Parameter newest: The newest version of the activity.
    package static func versionUnknown(_ version: Version, of name: String, newest: Version) -> EyotError {
        EyotError(
            .versionUnknown, "activity \(name) has no version \(version) any more, or not yet: its newest is \(newest)",
            field: "version")
    }

    package static func activityEnded(_ name: String) -> EyotError {
        EyotError(.activityEnded, "activity \(name) has ended")
    }

    /// The database cannot be reached. The store reports that once, with the reason.
    package static let databaseOutage = EyotError(.unavailable, "the database cannot be reached at the moment")

    /// The database refused the call's statements, through no fault of the call. The store reports the reason.
    package static let databaseRefuses = EyotError(
        .unavailable, "the database refuses the call at the moment; the server's log has the reason")

    /// Another process holds the writer of the database.
    package static let databaseBusy = EyotError(
        .databaseBusy, "another process holds the database, and the call has changed nothing")
}

extension EyotError: CustomStringConvertible {
    /// The sentence and the code, for logs and commands.
    package var description: String { "\(detail) [\(code.rawValue)]" }
}

extension EyotError {
    /// The catalogue of errors. Codes are stable. Each has a status, a cause and a remedy.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        case activityEnded, activityHalted, activityUnknown, alertIncomplete, aliasTaken, answerNotKept
        case appInUse, appTaken, appUnknown, audienceMissing, audienceTooCostly, bodyTooLarge, channelUnknown
        case contentEncodingUnsupported, contentTypeUnsupported, databaseBusy, dateOutOfRange, definitionUnknown
        case deliveryUnknown, deviceUnknown, diskFull, epochOutdated, fieldInvalid, fieldMissing, fieldMistyped
        case fieldUnknown, historyChanged, hostInvalid, idempotencyConflict, identityKeyUnknown, identityRefused
        case installationTaken, internalFault, joinSecretUnknown, jsonInvalid, keyForbidden, keyInvalid, keyMissing
        case keyUnknown
        case methodNotAllowed, operationUnknown, pathAmbiguous, payloadTooLarge, profileTooLarge, replicaUnknown
        case requestMalformed, requestTimeout, requestUnknown, routeUnknown, schemaMismatch, schemaUnknown
        case scopeWithoutActivity, secretInvalid, segmentUnknown, superseded, testDeviceUnknown, tooManyCalls
        case tooManyDefinitions, tooManyDevices, tooManyLiveAudiences, tooManyMembers, tooManyMembersWaiting
        case tooManyRegistrations, tooManySchemas, tooManySegments, tooManyTestDevices, tooManyWatched, tooManyWebhooks
        case typeMismatch, unavailable, userUnknown, versionUnknown, webhookUnknown
    }
}
