/// A time as HTTP fields carry it: `Sun, 06 Nov 1994 08:49:37 GMT`, 29 bytes (RFC 9110 §5.6.7).
///
/// Times outside the years 1–9999 give the nearest one inside.
public func imfFixdate(secondsSince1970: Int) -> [UInt8] { [] }
