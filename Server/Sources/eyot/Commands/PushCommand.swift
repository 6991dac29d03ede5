import APNSSender
import APNSWire
import ArgumentParser
import EyotContract
import Foundation

struct PushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Send a payload to a token and print Apple's answer.",
        discussion: """
            The command first checks the payload against Apple's rules, because Apple accepts most payloads that \
            phones then drop. Exit code 0 means that Apple accepted the push. Apple does not report how the phone \
            handles it.
            """)

    @Argument(help: "The token, in hexadecimal digits.")
    var token: String

    @Argument(help: "The payload as JSON. @file reads a file, - reads standard input.")
    var payload: String

    @OptionGroup var key: KeyFileOptions

    @Option(help: "The topic: the bundle identifier with the suffix of the push type, such as .push-type.liveactivity.")
    var topic: String

    @Option(help: "sandbox for builds from Xcode, production for TestFlight and the App Store.")
    var environment = EnvironmentOption.sandbox

    @Option(help: "The value of apns-push-type.")
    var pushType = "liveactivity"

    @Option(help: "The value of apns-priority: 1, 5 or 10.")
    var priority = 10

    @Option(help: "The value of apns-expiration, in UNIX seconds.")
    var expiration: Int?

    @Option(help: "The value of apns-collapse-id.")
    var collapseID: String?

    @Option(help: "The URL of another push service, for example of a lab: https://127.0.0.1:1234. (default: Apple's)")
    var url: String?

    @Option(help: "A PEM file with the authorities to trust. (default: the machine's)")
    var ca: String?

    @Option(help: "The schema file of the type. A payload that the app could not decode is not sent.")
    var schema: String?

    @Flag(help: "Send the payload even if phones would drop it.")
    var force = false

    @Flag(help: "Print the verdict as a JSON object.")
    var json = false

    func run() async throws {
        let content = try self.template()
        let review = PayloadReview(
            of: content.body, type: content.pushType, schema: try schema.map { try ActivitySchema(file: $0) },
            now: Date().timeIntervalSince1970)
        for remark in review.remarks { Output.err("Note: \(remark).") }
        guard review.isGood || force else { throw refusal(review) }
        var page = PushPage(environment: environment.environment)
        let template = page.add(content)
        guard let token = PushToken(hex: token) else {
            throw ValidationError("The token is not hexadecimal digits, or too long.")
        }
        let id = APNSID(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
        page.append(token: token, template: template, id: id)
        let sender = try APNSSender(configuration)
        let verdicts = await sender.send(page, key: try key.read().providerKey())
        await sender.shutdown()
        let verdict = verdicts.verdicts.first ?? .unknown
        Output.value(
            Self.report(verdict, id: id, deadSince: verdicts.deadSince[0], problems: review.problems), asJSON: json)
        if verdict != .accepted { throw ExitCode.failure }
    }

    /// Returns the error for a payload that is not sent. With `--json` the problems are printed as an object.
    private func refusal(_ review: PayloadReview) -> any Error {
        guard json else {
            return CommandFailure(
                "the push was not sent, since phones would drop it: \(review.problems.joined(separator: "; ")). "
                    + "Mend the payload, or send it as it is with --force.")
        }
        Output.value(
            [
                "verdict": "notSent", "meaning": "the push was not sent, since phones would drop it",
                "problems": .array(review.problems.map(JSONValue.string)),
            ], asJSON: true)
        return ExitCode.failure
    }

    private func template() throws -> PushTemplate {
        guard let type = APNSPushType(rawValue: pushType) else {
            let all = APNSPushType.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--push-type is one of \(all).")
        }
        guard let priority = APNSPriority(rawValue: priority) else {
            throw ValidationError("--priority is 1, 5 or 10.")
        }
        guard let bytes = JSONArgument.bytes(payload) else {
            throw CommandFailure("\(payload.dropFirst()) cannot be read: check the path and its permissions")
        }
        return PushTemplate(
            topic: topic, pushType: type, priority: priority, expiration: expiration, collapseID: collapseID,
            body: bytes)
    }

    private var configuration: APNSSenderConfiguration {
        var configuration = APNSSenderConfiguration()
        if let url { (configuration.sandboxURL, configuration.productionURL) = (url, url) }
        if let ca { configuration.trust = .authorities(pemFile: ca) }
        configuration.connectionsPerKey = 1
        configuration.logger.logLevel = .critical
        return configuration
    }

    /// Returns the verdict and its meaning.
    ///
    /// - Parameter problems: the reasons that phones will drop the push, if it was sent nevertheless.
    static func report(
        _ verdict: PushVerdict, id: APNSID, deadSince: Int64?, problems: [String] = []
    ) -> JSONValue {
        var object = JSONObject([("verdict", .string(verdict.reason == nil ? verdict.description : "refused"))])
        object["status"] = verdict.reason.map { .integer($0.status) }
        object["reason"] = verdict.reason.map { .string($0.name) }
        object["meaning"] = .string(verdict.meaning(isDropped: !problems.isEmpty))
        if !problems.isEmpty { object["problems"] = .array(problems.map(JSONValue.string)) }
        object["deadSince"] = deadSince.map {
            .string(RFC3339.text(of: Date(timeIntervalSince1970: Double($0) / 1_000)))
        }
        object["id"] = .string(id.description)
        return .object(object)
    }
}
