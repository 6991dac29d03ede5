import EyotContract
import EyotDomain

extension DeclarationBody {
    /// Dates before this come from other epochs, because no card was stale before 2001.
    private static let firstDate = Instant(second: 978_307_200)
    /// Seconds in a year.
    private static let year = 366.0 * 86_400
    /// The last second that RFC 3339 can express, the end of the year 9999.
    private static let lastDate = Instant(second: 253_402_300_799)
    /// The longest time after which a state becomes stale, in seconds: about a hundred years.
    package static let staleAfterLimit = 100.0 * year
    /// Seconds by which a planned start or end may lie ahead.
    package static let planLead = 30.0 * 86_400
    /// Seconds by which `asOf` may lie ahead. Callers' clocks differ, but a far `asOf` would shut out all other callers
    /// (R14).
    package static let asOfLead = 3_600.0
    /// Seconds after an end at which Apple removes a card at the latest.
    private static let linger = 4.0 * 3_600

    /// The request that this body makes at a moment, with warnings for the caller.
    ///
    /// - Throws: `dateOutOfRange`, which names the date.
    package func request(at now: Instant) throws(EyotError) -> (request: DeclarationRequest, warnings: [String]) {
        var warnings: [String] = []
        var request = written
        let alertLifetime = alertLifetime ?? Alert.defaultLifetime
        request.content.alert = alert.map { Alert(body: $0, expiresAt: now + alertLifetime) }
        request.content.staleAfter = request.verb == .end ? nil : staleAfter.map { Int($0.rounded()) }
        if alert != nil, let canary = request.canary, canary.waitSeconds >= alertLifetime {
            warnings.append("canary waits until its alert has expired: only the first share of cards gets the alert")
        }
        request.content.staleDate = try staleSecond(at: now, &warnings)
        request.content.dismissalDate = try dismissalSecond(at: now, &warnings)
        request.saysWhenStale = staleDate != nil || staleAfter != nil || request.removed.contains(.stale)
        request.live = live
        if let asOf = request.asOf, asOf > now + Self.asOfLead {
            throw outOfRange("asOf", "is more than an hour in the future")
        }
        try checkPlans(at: now, &warnings)
        return (request, warnings)
    }

    private func checkPlans(at now: Instant, _ warnings: inout [String]) throws(EyotError) {
        var plans: [(field: String, moment: Instant)] = []
        if let moment = self.startsAt { plans.append(("startsAt", moment)) }
        if let moment = self.endsAt?.moment { plans.append(("endsAt", moment)) }
        if namesItsEnd, let end = self.endsAt?.moment, end > (self.startsAt ?? now) + Replica.cardLifetime {
            warnings.append(Self.longPlan("endsAt"))
        }
        for plan in plans where plan.moment <= now || plan.moment > now + Self.planLead {
            throw outOfRange(plan.field, "must be in the future, by at most 30 days")
        }
        if plans.count == 2, plans[1].moment <= plans[0].moment { throw outOfRange("endsAt", "must be after startsAt") }
    }

    /// The warning about a planned end that no card of now lives to see.
    package static func longPlan(_ name: String) -> String {
        "\(name) is more than eight hours ahead: iOS ends a card eight hours after its start, so cards of now do not run "
            + "until then"
    }

    private func staleSecond(at now: Instant, _ warnings: inout [String]) throws(EyotError) -> Int? {
        if let staleAfter {
            if staleAfter > Replica.cardLifetime {
                warnings.append(
                    "staleAfter is more than eight hours: iOS ends a card eight hours after its start, so it never shows "
                        + "as stale")
            }
            return self.verb == .end ? nil : ((self.startsAt ?? now) + staleAfter).second
        }
        guard let staleDate else { return nil }
        guard staleDate > Self.firstDate, staleDate <= Self.lastDate else {
            throw outOfRange("staleDate", "must lie between the years 2001 and 9999")
        }
        if self.verb == .end {
            warnings.append("staleDate is not sent with an end: an ended card does not get stale")
        } else if staleDate <= now {
            warnings.append("staleDate is in the past: cards show as stale at once")
        } else if staleDate > (self.startsAt ?? now) + Replica.cardLifetime {
            warnings.append(
                "staleDate is more than eight hours ahead: iOS ends a card eight hours after its start, so cards of now "
                    + "never show as stale")
        }
        return staleDate.second
    }

    /// The second of the dismissal. A past date means now. It is sent as a second that is also past on a phone with a
    /// slow clock.
    private func dismissalSecond(at now: Instant, _ warnings: inout [String]) throws(EyotError) -> Int? {
        guard let dismissalDate else { return nil }
        guard dismissalDate > now else { return max(1, min(dismissalDate.second, now.second)) }
        guard dismissalDate <= Self.lastDate else {
            throw outOfRange("dismissalDate", "must lie before the year 10000")
        }
        if dismissalDate > now + Self.linger {
            warnings.append("dismissalDate is more than four hours ahead: iOS removes an ended card after four hours")
        }
        return dismissalDate.second
    }

    private func outOfRange(_ field: String, _ reason: String) -> EyotError {
        EyotError(.dateOutOfRange, "\(field) \(reason)", field: field)
    }
}
