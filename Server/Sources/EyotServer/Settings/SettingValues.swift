import Foundation
import Yams

/// The settings as they were given, each with its source.
package struct SettingValues: Sendable {
    private struct Value: Sendable {
        var text: String
        var source: String
    }

    private var values: [Setting: Value] = [:]
    /// The variables that are ignored because Kubernetes makes them for a service, sorted.
    package private(set) var ignored: [String] = []

    /// - Parameters:
    ///   - flags: The settings of the command line.
    ///   - environment: The process's environment.
    ///   - file: The text of `eyot.yaml` and its path; nil if there is no file.
    /// - Throws: ``SettingError`` for a name that is not a setting, and for a file that is not flat YAML.
    package init(
        flags: [Setting: String], environment: [String: String], file: (text: String, path: String)? = nil
    ) throws(SettingError) {
        if let file { try read(file.text, at: file.path) }
        let variables = Dictionary(uniqueKeysWithValues: Setting.allCases.map { ($0.variable, $0) })
        for (name, text) in environment where name.hasPrefix("EYOT_") {
            if Setting.commandVariables.contains(name) { continue }
            if ServiceLink.makes(name, text) {
                ignored.append(name)
                continue
            }
            guard let setting = variables[name] else { throw SettingError("\(name) is not a setting") }
            values[setting] = Value(text: text, source: name)
        }
        ignored.sort()
        for (setting, text) in flags { values[setting] = Value(text: text, source: "--\(setting.rawValue)") }
    }

    private mutating func read(_ text: String, at path: String) throws(SettingError) {
        let loaded: Any?
        do {
            loaded = try Yams.load(yaml: text)
        } catch YamlError.duplicatedKeysInMapping(let names, _) {
            throw SettingError("\(path) has more than one line for \(names.sorted().joined(separator: ", "))")
        } catch {
            throw SettingError("\(path) is not YAML: \(error)")
        }
        guard let loaded else { return }
        guard let mapping = loaded as? [String: Any] else {
            throw SettingError("\(path) must hold names and values, one a line")
        }
        for (name, value) in mapping {
            guard let setting = Setting(rawValue: name) else {
                throw SettingError("\(name) in \(path) is not a setting")
            }
            guard value is String || value is Int || value is Double || value is Bool else {
                throw SettingError("\(name) in \(path) must be a single value")
            }
            values[setting] = Value(text: "\(value)", source: "\(name) in \(path)")
        }
    }

    /// The text of a setting, or its fallback; nil if it has neither.
    package func text(_ setting: Setting) -> String? { values[setting]?.text ?? setting.fallback }

    /// Returns the settings with another text than before, in the order of all settings.
    func changes(from former: SettingValues) -> [Setting] {
        Setting.allCases.filter { text($0) != former.text($0) }
    }

    /// Converts a setting to a value.
    ///
    /// - Throws: ``SettingError`` if the setting is missing, or if `convert` returns nil. The error names the setting's
    ///   source.
    package func value<Value>(
        _ setting: Setting, _ expectation: String, _ convert: (String) -> Value?
    ) throws(SettingError) -> Value {
        guard let text = text(setting) else { throw SettingError("\(setting.rawValue) is not given") }
        guard let value = convert(text) else {
            throw SettingError("\(values[setting]?.source ?? setting.rawValue) must be \(expectation)")
        }
        return value
    }

    /// Converts a setting that may be absent; nil if it is.
    package func optional<Value>(
        _ setting: Setting, _ expectation: String, _ convert: (String) -> Value?
    ) throws(SettingError) -> Value? {
        text(setting) == nil ? nil : try value(setting, expectation, convert)
    }

    /// The path of a file that a setting may name; nil if it names none.
    ///
    /// - Throws: ``SettingError`` if there is no such file, or this user cannot read it.
    package func readableFile(_ setting: Setting) throws(SettingError) -> String? {
        guard let path = text(setting) else { return nil }
        let source = values[setting]?.source ?? setting.rawValue
        guard FileManager.default.fileExists(atPath: path) else {
            throw SettingError("\(source) names a file that does not exist")
        }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw SettingError("\(source) names a file that this user cannot read")
        }
        return path
    }
}

/// An error about a wrong setting. Its text names the setting and never its value, which may be a secret.
package struct SettingError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
