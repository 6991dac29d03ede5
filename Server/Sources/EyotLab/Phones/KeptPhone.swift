import EyotContract
import Foundation
import PhoneSimulator

/// A phone as the lab's folder stores it.
struct KeptPhone: Codable, Sendable {
    var id: String
    var user: String?
    var tags: [String]
    var os: String
    var environment: PushEnvironment
    /// Whether the app ran. Then it is launched again at the next start.
    var runs: Bool
    var cardNames: [String: String]
    var archive: PhoneArchive
    // Absent in older files.
    var deviceID: String?
    var build: PhoneBuild?
    var rules: PhoneRules?

    init(_ phone: LabPhone) {
        let state = phone.state
        id = phone.id
        user = phone.user
        tags = phone.tags
        os = state.configuration.os.description
        environment = state.configuration.environment
        runs = state.run != .notRunning
        cardNames = phone.cardNames
        archive = state.archive
        deviceID = phone.deviceID
        build = phone.build
        // The lab's own rules are not stored, so that a later lab with other rules applies those.
        rules = state.rules == state.configuration.rules ? nil : state.rules
    }
}

extension LabFolder {
    /// Returns the phones of the lab that ran here before.
    func loadPhones() throws(LabError) -> [KeptPhone] {
        guard FileManager.default.fileExists(atPath: phonesFile.path) else { return [] }
        do {
            let decoder = JSONDecoder()
            return try Data(contentsOf: phonesFile).split(separator: UInt8(ascii: "\n"))
                .map { try decoder.decode(KeptPhone.self, from: Data($0)) }
        } catch {
            throw .folder(path: phonesFile.path, reason: "\(error)")
        }
    }

    func save(_ phones: [KeptPhone]) throws(LabError) {
        do {
            let encoder = JSONEncoder()
            var bytes: [UInt8] = []
            for phone in phones { bytes += try encoder.encode(phone) + [UInt8(ascii: "\n")] }
            try write(secret: bytes, to: phonesFile)
        } catch let error as LabError {
            throw error
        } catch {
            throw .folder(path: phonesFile.path, reason: "\(error)")
        }
    }
}
