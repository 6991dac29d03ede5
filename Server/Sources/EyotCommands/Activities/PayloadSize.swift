import APNSWire
import EyotContract
import EyotDomain

/// The check of a declaration's payloads against Apple's limit, by the bytes that would be sent.
package struct PayloadSize {
    /// The activity that the request applies to, or nil if the request opens one.
    var activity: Activity?
    /// The declaration of its newest common state.
    var current: Declaration?
    var request: DeclarationRequest

    package init(_ request: DeclarationRequest, activity: Activity?, current: Declaration?) {
        self.request = request
        self.activity = activity?.isEnded == true ? nil : activity
        self.current = activity?.isEnded == true ? nil : current
    }

    /// - Returns: The warnings for the caller.
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

    /// The warning for starts that have not left yet, because they carry the newest state. Whether there are any is not
    /// known here, so the call is not refused.
    private var lateStartWarnings: [String] {
        guard request.verb == .update, attributes != nil, size(of: .start) > APNSLimits.payloadBytes else { return [] }
        return [
            "with this state a start would have \(size(of: .start)) bytes, and Apple accepts at most "
                + "\(APNSLimits.payloadBytes): cards that are not started yet will not start"
        ]
    }

    private func require(_ event: LiveActivityEvent) throws(EyotError) {
        let bytes = size(of: event)
        guard bytes > APNSLimits.payloadBytes else { return }
        throw EyotError(
            .payloadTooLarge,
            "the payload of the \(event.rawValue) would have \(bytes) bytes, and Apple accepts at most "
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
        content.fill(&payload)
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

    /// The largest part of the request.
    private var largestField: String {
        let parts: [(String, JSONValue?)] = [
            ("contentState", request.content.state), ("attributes", request.attributes),
            ("alert", request.content.alert?.body), ("aps", request.content.aps),
        ]
        return parts.max { ($0.1?.utf8.count ?? 0) < ($1.1?.utf8.count ?? 0) }?.0 ?? "contentState"
    }
}
