import EyotContract
import Foundation
import PhoneSimulator
import Testing

@Suite("RFC 3339")
struct RFC3339Tests {
    @Test(
        "reads a moment",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2022-12-18T15:00:00Z", 1_671_375_600),
            ("2022-12-18T18:00:00+03:00", 1_671_375_600), ("2022-12-18T11:30:00-03:30", 1_671_375_600),
            ("2022-12-18t15:00:00z", 1_671_375_600), ("2022-12-18 15:00:00Z", 1_671_375_600),
            ("2022-12-18T15:00:00-00:00", 1_671_375_600), ("2022-12-18T15:00:00.5Z", 1_671_375_600.5),
            ("2022-12-18T15:00:00.123456789Z", 1_671_375_600.123456789), ("2024-02-29T00:00:00Z", 1_709_164_800),
            ("2000-02-29T00:00:00Z", 951_782_400), ("2016-12-31T23:59:60Z", 1_483_228_799),
            ("2017-01-01T02:59:60+03:00", 1_483_228_799), ("1969-12-31T23:59:59.750Z", -0.25),
            ("0000-01-01T00:00:00Z", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
        ] as [(String, Double)])
    func reads(text: String, seconds: Double) throws {
        let date = try #require(RFC3339.date(from: text))
        #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-6)
    }

    @Test(
        "refuses what is not one",
        arguments: [
            "", "2022-12-18", "2022-12-18T15:00:00", "2022-12-18T15:00Z", "2022-12-18T15:00:00+0300",
            "2022-12-18T15:00:00+03", "2022-12-18T24:00:00Z", "2022-12-18T15:60:00Z", "2022-12-18T15:00:61Z",
            "2022-12-18T15:00:60Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2022-13-01T00:00:00Z",
            "2022-00-01T00:00:00Z", "2022-04-31T00:00:00Z", "2022-04-00T00:00:00Z", "22-12-18T15:00:00Z",
            "2022-12-18T15:00:00.Z", "2022-12-18T15:00:00.1234567890Z", "2022-12-18T15:00:00+24:00",
            "2022-12-18T15:00:00+03:60", "2022-12-18T15:00:00ZZ", " 2022-12-18T15:00:00Z", "2022-12-18T15:00:00Z ",
            "2022-12-18T15:00:00,5Z", "+022-12-18T15:00:00Z", "２022-12-18T15:00:00Z",
        ])
    func refuses(text: String) {
        #expect(RFC3339.date(from: text) == nil)
    }

    @Test(
        "writes UTC, with milliseconds where there are any",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_671_375_600.25, "2022-12-18T15:00:00.250Z"),
            (-0.25, "1969-12-31T23:59:59.750Z"), (1.0004, "1970-01-01T00:00:01Z"), (1.9996, "1970-01-01T00:00:02Z"),
            (-62_135_596_800, "0001-01-01T00:00:00Z"), (1e300, "9999-12-31T23:59:59Z"),
            (-1e300, "0000-01-01T00:00:00Z"), (.infinity, "9999-12-31T23:59:59Z"), (.nan, "0000-01-01T00:00:00Z"),
        ] as [(Double, String)])
    func writes(seconds: Double, text: String) {
        #expect(RFC3339.text(of: Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test func `any moment survives being written and read`() throws {
        var random = SeededGenerator(seed: 3339, name: "times")
        for _ in 0..<20_000 {
            let milliseconds = Int64.random(in: -62_167_219_200_000...253_402_300_799_000, using: &random)
            let text = RFC3339.text(of: Date(timeIntervalSince1970: Double(milliseconds) / 1_000))
            let back = try #require(RFC3339.date(from: text), "\(text)")
            #expect(Int64((back.timeIntervalSince1970 * 1_000).rounded()) == milliseconds, "\(text)")
        }
    }

    @Test func `every day of 800 years follows the one before`() throws {
        var last = try #require(RFC3339.date(from: "1599-12-31T00:00:00Z")).timeIntervalSince1970
        for year in 1600..<2400 {
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            for (month, days) in [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
                for day in 1...days {
                    let date = Date(timeIntervalSince1970: last + 86_400)
                    let text = RFC3339.text(of: date)
                    #expect(text == String(format: "%04d-%02d-%02dT00:00:00Z", year, month + 1, day))
                    last += 86_400
                }
                let beyond = String(format: "%04d-%02d-%02dT00:00:00Z", year, month + 1, days + 1)
                #expect(RFC3339.date(from: beyond) == nil)
            }
        }
    }
}
