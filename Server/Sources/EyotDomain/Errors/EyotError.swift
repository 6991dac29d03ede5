/// What went wrong with a request, for whoever made it: a stable code, a sentence, and the field where there is one.
package struct EyotError: Error, Sendable, Hashable {
    package var code: Code
    package var detail: String
    /// The member of the body, as a path.
    package var field: String?
    /// Whether it names members as the caller has them, be they called otherwise by us.
    package var isInCallersWords = false
    /// Whether what is wrong is that something is not there, though the code says it in a wider sense.
    package var isOfMissing = false

    package init(_ code: Code, _ detail: String, field: String? = nil) {
        self.code = code
        self.detail = detail
        self.field = field
    }

    package static func activityUnknown(_ name: String) -> EyotError {
        EyotError(.activityUnknown, "there is no activity \(name)")
    }

    package static func activityEnded(_ name: String) -> EyotError {
        EyotError(.activityEnded, "activity \(name) has ended")
    }
}

extension EyotError {
    /// The catalogue of errors. Codes are stable; each has its status, its cause and what to do about it.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        case activityEnded, activityHalted, activityUnknown, alertIncomplete, aliasTaken, answerNotKept
        case appInUse, appTaken, appUnknown, audienceMissing, audienceTooCostly, bodyTooLarge, channelUnknown
        case contentEncodingUnsupported, contentTypeUnsupported, dateOutOfRange, definitionUnknown
        case deviceUnknown, diskFull, epochOutdated, fieldInvalid, fieldMissing, fieldMistyped, fieldUnknown
        case hostInvalid, idempotencyConflict, identityKeyUnknown, identityRefused, installationTaken
        case internalFault, joinSecretUnknown, jsonInvalid, keyForbidden, keyInvalid, keyMissing, keyUnknown
        case methodNotAllowed, operationUnknown, payloadTooLarge, profileTooLarge, replicaUnknown
        case requestMalformed, requestTimeout, routeUnknown, schemaMismatch, schemaUnknown
        case scopeWithoutActivity, secretInvalid, segmentUnknown, superseded, testDeviceUnknown, tooManyCalls
        case tooManyDefinitions, tooManyDevices, tooManyLiveAudiences, tooManyMembers, tooManyMembersWaiting
        case tooManyRegistrations, tooManySchemas, tooManySegments, tooManyTestDevices, typeMismatch
        case unavailable, userUnknown
    }
}
