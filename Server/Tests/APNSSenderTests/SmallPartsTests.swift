import APNSWire
import EyotContract
import Foundation
import Testing

@testable import APNSSender

@Suite struct SmallPartsTests {
    @Test func `the body of a refusal is read leniently`() {
        func body(_ status: Int, _ text: String) -> ErrorBody { ErrorBody(status: status, bytes: Array(text.utf8)) }
        #expect(body(400, #"{"reason":"BadTopic","more":1}"#).reason == .badTopic)
        #expect(body(403, #"{"reason":"BadEnvironmentKeyInToken"}"#).reason == .badEnvironmentKeyIDInToken)
        #expect(body(400, #"{"reason":"SomethingNew"}"#).reason == .unrecognized)
        #expect(body(410, "").reason == .unregistered)
        #expect(body(410, #"{"reason":"Unregistered","timestamp":1671375539500}"#).deadSince == 1_671_375_539_500)
        #expect(body(410, #"{"reason":"Unregistered","timestamp":"soon"}"#).deadSince == nil)
        #expect(body(400, #"{"reason":"BadTopic","timestamp":1}"#).deadSince == nil)
        for odd in ["1671375539500000000", "-1", "9223372036854775807", "1e300"] {
            let refusal = body(410, #"{"reason":"Unregistered","timestamp":\#(odd)}"#)
            #expect(refusal.reason == .unregistered && refusal.deadSince == nil, "\(odd)")
        }
        #expect(body(503, "<html>").reason == .serviceUnavailable)
        #expect(body(418, "{").reason == .unrecognized)
    }

    @Test func `waits double from the first to the longest`() {
        let backOff = BackOff(first: .milliseconds(500), longest: .seconds(3))
        #expect(
            (1...5).map(backOff.delay(afterFailures:)) == [
                .milliseconds(500), .seconds(1), .seconds(2), .seconds(3), .seconds(3),
            ])
        #expect(backOff.delay(afterFailures: Int.max) == .seconds(3))
    }

    @Test func `addresses are https, a host and perhaps a port`() throws {
        #expect(try APNSAddress("https://api.push.apple.com").authority == "api.push.apple.com")
        #expect(try APNSAddress("https://127.0.0.1:2197/").authority == "127.0.0.1:2197")
        #expect(try APNSAddress("https://[::1]:2197").authority == "[::1]:2197")
        #expect(try APNSAddress("https://[::1]:2197").serverName == nil)
        #expect(try APNSAddress("https://localhost").serverName == "localhost")
        for bad in ["http://localhost", "localhost", "https://", "https://host/3/device", "https://host:99999", ""] {
            #expect(throws: APNSSenderError.badURL(bad)) { try APNSAddress(bad) }
        }
    }

    @Test func `an authorities file that is not there is named`() {
        var configuration = APNSSenderConfiguration()
        configuration.trust = .authorities(pemFile: "/nowhere/ca.pem")
        do {
            _ = try APNSSender(configuration)
            Issue.record("a file that is not there was read")
        } catch {
            #expect("\(error)".contains("/nowhere/ca.pem"))
        }
    }

    @Test func `ten digits are written whatever the clock says, and never outside the body`() {
        let template = PushTemplate(
            topic: "t", priority: .immediate, body: Array("<0000000000>".utf8), timestampOffset: 1)
        var prepared = PreparedTemplate(template, to: .tokens, authority: "a")
        #expect(String(decoding: prepared.body(at: 1_671_375_600), as: UTF8.self) == "<1671375600>")
        #expect(String(decoding: prepared.body(at: 1_671_375_601), as: UTF8.self) == "<1671375601>")
        #expect(String(decoding: prepared.body(at: 5), as: UTF8.self) == "<1000000000>")
        var short = PreparedTemplate(
            PushTemplate(topic: "t", priority: .immediate, body: Array("0000".utf8), timestampOffset: 1), to: .tokens,
            authority: "a"
        )
        #expect(String(decoding: short.body(at: 1_671_375_600), as: UTF8.self) == "0000")
    }
}
