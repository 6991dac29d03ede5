import APNSWire
import EyotContract
import EyotDomain

/// Whether what a declaration makes fits Apple's limit, judged by the bytes that would be sent.
package struct PayloadSize {
    /// The activity that the request meets; nil where it opens one.
    var activity: Activity?
    /// The declaration of its newest state for everyone.
    var current: Declaration?
    var request: DeclarationRequest

    package init(_ request: DeclarationRequest, activity: Activity?, current: Declaration?) {
        self.request = request
        self.activity = activity?.isEnded == true ? nil : activity
        self.current = activity?.isEnded == true ? nil : current
    }

    /// - Returns: what the caller should know though the request is taken.
    /// - Throws: `payloadTooLarge` with both sizes.
    package func check() throws(EyotError) -> [String] {
        switch request.verb {
        case .start: try require(.start)
        case .end: try require(.end)
        case .update: try require(.update)
        case .put:
            if request.audience != nil { try require(.start) }
            try require(.update)
        }
        return lateStartWarnings
    }

    /// A start that has not left yet goes with the newest state. Whether there is one is not known here, so this is no
    /// reason to refuse.
    private var lateStartWarnings: [String] {
        guard request.verb == .update, attributes != nil, size(of: .start) > APNSLimits.payloadBytes else { return [] }
        return [
            "with this state a start would have \(size(of: .start)) bytes, and Apple takes "
                + "\(APNSLimits.payloadBytes): cards that were not started yet will not be"
        ]
    }

    private func require(_ event: LiveActivityEvent) throws(EyotError) {
        let bytes = size(of: event)
        guard bytes > APNSLimits.payloadBytes else { return }
        throw EyotError(
            .payloadTooLarge,
            "the payload of the \(event.rawValue) would have \(bytes) bytes, and Apple takes "
                + "\(APNSLimits.payloadBytes)",
            field: largestField)
    }

    private var attributes: JSONValue? { request.attributes ?? current?.attributes }

    /// The bytes of the largest payload that this event can have.
    private func size(of event: LiveActivityEvent) -> Int {
        let content = request.content
        var payload = LiveActivityPayload(event: event)
        payload.contentState = content.state ?? current?.content.state
        let alerts =
            event == .start
            ? [content.alertOfStarts ?? current?.content.alertOfStarts, content.alert?.text] : [content.alert?.text]
        payload.alert = alerts.compactMap { $0?.longestText }.max { $0.utf8.count < $1.utf8.count }
        payload.relevanceScore = content.relevanceScore
        payload.further = event == .start ? (content.aps ?? current?.content.aps)?.object : content.furtherOfRunning
        payload.staleDate = event == .start ? content.staleDate ?? Self.someSecond : content.staleDate
        switch event {
        case .start:
            payload.attributesType = request.type ?? activity?.type
            payload.attributes = attributes
            payload.inputPushToken = true
        case .update: break
        case .end:
            payload.staleDate = nil
            payload.dismissalDate = content.dismissalDate
        }
        return payload.render().body.count
    }

    /// Any second has ten digits. A start without a stale date gets one when it is sent.
    private static let someSecond = 1_700_000_000

    /// The part of the request that takes most room.
    private var largestField: String {
        let parts: [(String, JSONValue?)] = [
            ("contentState", request.content.state), ("attributes", request.attributes),
            ("alert", request.content.alert?.body), ("aps", request.content.aps),
        ]
        return parts.max { ($0.1?.utf8.count ?? 0) < ($1.1?.utf8.count ?? 0) }?.0 ?? "contentState"
    }
}
