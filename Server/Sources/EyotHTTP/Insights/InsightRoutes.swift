import EyotCommands
import EyotContract
import EyotDomain
import HTTPTypes

/// Routes for numbers over time that no single activity has: those of a type, and those of an app's devices.
struct InsightRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .get(
                "/v1/insights/types/{type}", .key(.activitiesRead), query: ["since", "until", "by", "format"], type),
            .get(
                "/v1/insights/adoption", .key(.activitiesRead), query: ["since", "until", "bucket", "format"],
                adoption),
        ]
    }

    private func type(_ call: Call) async throws -> Answer {
        let range = try range(of: call, width: CountSpan.hour, steps: Commands.hoursOfType)
        let dimension = try Self.word("by", of: call, CountDimension.self)
        let report = try await backend.commands.report(
            onType: call.parameter("type"), in: range, of: call.app.id)
        return try ReportRoutes.answer(report.json(by: dimension), over: "hours", to: call)
    }

    private func adoption(_ call: Call) async throws -> Answer {
        let range = try range(of: call, width: CountSpan.day, steps: Commands.daysOfAdoption)
        let bucket = try Self.word("bucket", of: call, Adoption.Bucket.self) ?? .day
        let adoption = try await backend.commands.adoption(in: range, by: bucket, of: call.app.id)
        return try ReportRoutes.answer(adoption.json, over: "points", to: call)
    }

    private func range(of call: Call, width: Int, steps: (most: Int, usual: Int)) throws -> InsightRange {
        try InsightRange(
            since: call.moment("since"), until: call.moment("until"), at: backend.clock.now,
            width: width, steps: steps)
    }

    /// A parameter that is one of a few words.
    private static func word<Word: RawRepresentable & CaseIterable>(
        _ name: String, of call: Call, _ type: Word.Type
    ) throws -> Word? where Word.RawValue == String {
        guard let text = call.query[name] else { return nil }
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw EyotError(.fieldInvalid, "\(name) must be one of \(words)", field: name)
        }
        return word
    }
}
